// A line on a terminal that is written over as work goes on, and gone when it has ended.

/** A stream that may be a terminal. */
export interface MaybeTerminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Returns what shows a text in place of the one before; `null` takes it away. On no terminal it does nothing. */
export function progressLine(stream: MaybeTerminal): (text: string | null) => void {
  let isShown = false;
  return (text) => {
    if (stream.isTTY !== true || (text === null && !isShown)) return;
    isShown = text !== null;
    // To the first column, and what stands there erased. A line that is broken could not be written over.
    stream.write(`\r\u001b[K${(text ?? "").slice(0, (stream.columns || 80) - 1)}`);
  };
}
