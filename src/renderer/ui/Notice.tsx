// Something that could not be done: what, and what to do about it.

import { Mark } from "./Mark.tsx";
import { Ticked } from "./Ticked.tsx";

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
      <p>
        <Ticked text={message} />
      </p>
      <code className="faint">{code}</code>
    </div>
  );
}
