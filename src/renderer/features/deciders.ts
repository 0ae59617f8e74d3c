// Who has decided something, in words. Lies beside the features because the inbox and the review both say it. Pure.

const modes: Readonly<Record<string, string>> = {
  "policy auto": "automatic",
  "policy final": "for the review at the end",
};

/** Who decided, or what the run goes by; empty where it is not known. */
export function deciderOf(by: string): string {
  return by === "a person" ? "you" : (modes[by] ?? by);
}

/** What was decided, and by whom, as a sentence without its full stop. */
export function decisionWords({ decision, by }: { readonly decision: string; readonly by: string }): string {
  const done = decision.replace("_", " ");
  const what = `${done.charAt(0).toUpperCase()}${done.slice(1)}`;
  if (by === "policy auto") return `${what} automatically`;
  const who = deciderOf(by);
  return by in modes ? `${what} ${who}` : who === "" ? what : `${what} by ${who}`;
}
