// The task of a new run, with files of the repository to be mentioned by `@`. It goes to the lead word for word.

import { useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";

import { usePage } from "../../client/Client.tsx";
import { countOf } from "../../ui/formats.ts";
import { complete, mentionAt, mentionsIn } from "./mention.ts";
import type { Mention } from "./mention.ts";

export interface TaskFieldProps {
  readonly id: string;
  readonly folder: string;
  readonly value: string;
  readonly onChange: (task: string) => void;
}

export function TaskField({ id, folder, value, onChange }: TaskFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [mention, setMention] = useState<Mention | null>(null);
  const [at, setAt] = useState(0);
  const paths = usePaths(folder, mention?.typed ?? null);
  const chosen = paths[Math.min(at, paths.length - 1)];

  function look(): void {
    const caret = field.current?.selectionStart ?? 0;
    setMention(mentionAt(field.current?.value ?? "", caret));
    setAt(0);
  }
  function choose(path: string): void {
    if (mention === null) return;
    const { text, caret } = complete(value, mention, path);
    onChange(text);
    setMention(mentionAt(text, caret));
    setAt(0);
    // The caret can only stand where the text is already.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(caret, caret);
    });
  }
  function press(event: KeyboardEvent): void {
    if (mention === null || chosen === undefined || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown") setAt((at + 1) % paths.length);
    else if (event.key === "ArrowUp") setAt((at + paths.length - 1) % paths.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(chosen);
    else if (event.key === "Escape") setMention(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const mentionCount = mentionsIn(value).length;
  return (
    <div className="task-field">
      <textarea
        id={id}
        ref={field}
        className="task-input"
        rows={5}
        value={value}
        aria-autocomplete="list"
        aria-controls={paths.length > 0 ? listId : undefined}
        aria-activedescendant={chosen === undefined ? undefined : `${listId}-${paths.indexOf(chosen)}`}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          look();
        }}
        onClick={look}
        onKeyDown={press}
        onBlur={() => setMention(null)}
      />
      {paths.length > 0 && (
        <div className="mention-list" role="listbox" id={listId} aria-label="Files and folders">
          {paths.map((path, index) => (
            // The field above has the keys of all options, and keeps the focus while one is pressed.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={path}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={path === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(path)}
            >
              <code>{path}</code>
            </div>
          ))}
        </div>
      )}
      <p className="task-foot small">
        <span className="faint">
          <kbd>@</kbd> file or folder
        </span>
        {mentionCount > 0 && <span className="faint push">{countOf(mentionCount, "mention")}</span>}
      </p>
    </div>
  );
}

const none: readonly string[] = [];

/** Paths of the repository that fit what is typed; none while no mention is. A folder that is no repository says so at its own field. */
function usePaths(folder: string, typed: string | null): readonly string[] {
  const asked = folder.trim();
  const { body } = usePage(typed === null || asked === "" ? null : { kind: "files", folder: asked, typed });
  // Until the answer to the next letter has come, what fitted the last one stands.
  const [held, setHeld] = useState(none);
  if (body !== null && body.paths !== held) setHeld(body.paths);
  return typed === null ? none : held;
}
