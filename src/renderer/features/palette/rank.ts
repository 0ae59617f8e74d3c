// How well a name fits what was typed into the palette. Pure.

/** Lower is better; `null`: it does not fit. Words may come in any order; letters that only follow one another come last. */
export function rankOf(name: string, typed: string): number | null {
  const text = name.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return 0;
  if (text.startsWith(words.join(" "))) return 0;
  if (words.every((word) => text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)))) return 1;
  if (words.every((word) => text.includes(word))) return 2;
  return follows(text, words.join("")) ? scattered : null;
}

function follows(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at === letters.length;
}

const scattered = 3;

/** The items that fit, best first; among equals in their own order. */
export function bestOf<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): readonly Item[] {
  const all = items.flatMap((item) => {
    const rank = rankOf(nameOf(item), typed);
    return rank === null ? [] : [{ item, rank }];
  });
  // Scattered letters fit much; they count where nothing fits better.
  const ranked = all.some(({ rank }) => rank < scattered) ? all.filter(({ rank }) => rank < scattered) : all;
  return ranked.toSorted((left, right) => left.rank - right.rank).map(({ item }) => item);
}
