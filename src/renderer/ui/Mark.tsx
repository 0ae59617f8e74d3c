// How something stands: a shape and a word, always both. The shapes are in styles/tokens.css.

export type Shape =
  | "queued"
  | "waiting"
  | "working"
  | "needs-you"
  | "ready"
  | "landing"
  | "landed"
  | "done"
  | "rejected"
  | "failed"
  | "stopped"
  | "recovered";

export function Mark({ shape, word }: { readonly shape: Shape; readonly word: string }) {
  return (
    <span className="mark" data-shape={shape}>
      <i className="glyph" aria-hidden="true" />
      {word}
    </span>
  );
}
