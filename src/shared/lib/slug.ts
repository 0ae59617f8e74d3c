// Texts as names that fit a branch, a file and an id.

/** Lower-case letters and digits joined by dashes, at most `longest` characters; accents are left off. Empty where nothing is left. */
export function slugOf(text: string, longest: number): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longest)
    .replace(/-+$/, "");
}
