// The title of a run, and the field in its place while it is given another one. Enter keeps, Escape leaves it as it was.

import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { useAct } from "../useAct.ts";

export interface RunTitleProps {
  readonly snapshot: RunSnapshot;
  readonly isRenaming: boolean;
  readonly onDone: () => void;
}

/** As the core has it. */
const maxTitle = 200;

export function RunTitle({ snapshot: { run, title }, isRenaming, onDone }: RunTitleProps) {
  const { act, isBusy, failure } = useAct();
  if (isRenaming)
    return <TitleField title={title} isBusy={isBusy} onKeep={(text) => void keep(text)} onLeave={onDone} />;

  async function keep(text: string): Promise<void> {
    onDone();
    if (text.trim() !== "" && text.trim() !== title) await act({ type: "rename", run, title: text });
  }
  return (
    <>
      <h1 id="run-title" className="one" title={title}>
        {title}
      </h1>
      {failure !== null && (
        <span className="bad one" role="alert" title={failure.message}>
          {failure.message}
        </span>
      )}
    </>
  );
}

interface TitleFieldProps {
  readonly title: string;
  readonly isBusy: boolean;
  readonly onKeep: (text: string) => void;
  readonly onLeave: () => void;
}

function TitleField({ title, isBusy, onKeep, onLeave }: TitleFieldProps) {
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  // The field loses the focus when it goes, too; only the first word counts.
  const isOver = useRef(false);
  function end(act: () => void): void {
    if (isOver.current) return;
    isOver.current = true;
    act();
  }
  function press(event: KeyboardEvent): void {
    if (event.key === "Enter") end(() => onKeep(text));
    else if (event.key === "Escape") end(onLeave);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <input
      ref={field}
      className="title-field"
      aria-label="Title of the run"
      maxLength={maxTitle}
      value={text}
      disabled={isBusy}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={press}
      onBlur={() => end(() => onKeep(text))}
    />
  );
}
