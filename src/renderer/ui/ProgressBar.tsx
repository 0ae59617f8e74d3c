// How much of something is done, where that can be counted: a bar, and the count beside it.

export interface ProgressBarProps {
  /** What is done, for those who hear it. */
  readonly label: string;
  readonly done: number;
  readonly total: number;
  /** The count, with what is counted. */
  readonly words: string;
}

export function ProgressBar({ label, done, total, words }: ProgressBarProps) {
  return (
    <span className="progress fig">
      <progress aria-label={label} aria-valuetext={words} value={done} max={total} />
      {words}
    </span>
  );
}
