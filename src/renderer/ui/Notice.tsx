// Something that could not be done: what, and what to do about it. What stands between backticks is a command.

import { Mark } from "./Mark.tsx";

export function Notice({
  title,
  message,
  code,
}: {
  readonly title: string;
  readonly message: string;
  readonly code: string;
}) {
  return (
    <div className="notice" role="alert">
      <Mark shape="failed" word={title} />
      <p>{message.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</p>
      <code className="faint">{code}</code>
    </div>
  );
}
