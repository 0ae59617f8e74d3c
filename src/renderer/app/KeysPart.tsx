// The keys of every action, to be changed: press "Change", then the new keys. Keys that something else has in the same place
// are not taken.

import { useEffect, useRef, useState } from "react";

import type { PartProps } from "../features/settings/part.ts";
import { actionEntries, type ActionEntry, keysOf, sharersOf } from "./actions.ts";
import { showKeys, takeDown, worksInFields } from "./keys.ts";
import { isMac } from "../ui/modKey.ts";
import type { OwnKeys } from "./useKeys.ts";

export function KeysPart({ settings, change }: PartProps) {
  const own = settings.keys;
  const onChange = (keys: OwnKeys) => void change({ keys });
  const [recorded, setRecorded] = useState<string | null>(null);
  const [problem, setProblem] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const groups = [...Map.groupBy(actionEntries, ({ group }) => group)];

  function keep(entry: ActionEntry, keys: string): void {
    const refusal = refusalOf(entry, keys, own);
    setRecorded(null);
    setProblem(refusal === null ? null : { id: entry.id, text: refusal });
    if (refusal !== null) return;
    const { [entry.id]: _before, ...rest } = own;
    onChange(keys === entry.keys ? rest : { ...rest, [entry.id]: keys });
  }
  return (
    <>
      <p className="quiet">
        All of them can be changed. <kbd>Esc</kbd> leaves a key as it is, <kbd>Backspace</kbd> takes it away.
      </p>
      {groups.map(([group, entries]) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <ul className="key-rows">
            {entries.map((entry) => (
              <KeyRow
                key={entry.id}
                entry={entry}
                keys={keysOf(entry, own)}
                isRecording={recorded === entry.id}
                problem={problem?.id === entry.id ? problem.text : null}
                onRecord={() => {
                  setRecorded(entry.id);
                  setProblem(null);
                }}
                onKeys={(keys) => keep(entry, keys)}
                onLeave={() => setRecorded(null)}
              />
            ))}
          </ul>
        </section>
      ))}
      {Object.keys(own).length > 0 && (
        <button type="button" className="btn" onClick={() => onChange({})}>
          All as usual again
        </button>
      )}
    </>
  );
}

interface KeyRowProps {
  readonly entry: ActionEntry;
  readonly keys: string;
  readonly isRecording: boolean;
  readonly problem: string | null;
  readonly onRecord: () => void;
  readonly onKeys: (keys: string) => void;
  readonly onLeave: () => void;
}

function KeyRow({ entry, keys, isRecording, problem, onRecord, onKeys, onLeave }: KeyRowProps) {
  const button = useRef<HTMLButtonElement>(null);
  const wasRecording = useRef(false);
  useEffect(() => {
    // The focus goes back to where it was taken from.
    if (wasRecording.current && !isRecording && document.activeElement === document.body) button.current?.focus();
    wasRecording.current = isRecording;
  }, [isRecording]);
  return (
    <li>
      <span>{entry.title}</span>
      {isRecording ? (
        <Recorder title={entry.title} takesDigit={entry.keys.endsWith("Digit")} onKeys={onKeys} onLeave={onLeave} />
      ) : (
        <>
          {keys === "" ? <span className="faint">none</span> : <kbd>{showKeys(keys, isMac)}</kbd>}
          <button type="button" ref={button} className="link small" onClick={onRecord}>
            Change<span className="heard"> the keys of {entry.title}</span>
          </button>
          {keys !== entry.keys && (
            <button type="button" className="link small" onClick={() => onKeys(entry.keys)}>
              As usual<span className="heard"> for {entry.title}</span>
            </button>
          )}
        </>
      )}
      {problem !== null && (
        <small className="bad" role="alert">
          {problem}
        </small>
      )}
    </li>
  );
}

interface RecorderProps {
  readonly title: string;
  readonly takesDigit: boolean;
  readonly onKeys: (keys: string) => void;
  readonly onLeave: () => void;
}

/** Hears the next keys before anything else does. */
function Recorder({ title, takesDigit, onKeys, onLeave }: RecorderProps) {
  const field = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    field.current?.focus();
    const listener = (event: KeyboardEvent) => {
      if (event.key === "Tab") return onLeave();
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === "Escape") return onLeave();
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      if (isPlain && (event.key === "Backspace" || event.key === "Delete")) return onKeys("");
      const keys = takeDown(event, isMac);
      if (keys !== null) onKeys(takesDigit ? keys.replace(/[1-9]$/, "Digit") : keys);
    };
    window.addEventListener("keydown", listener, true);
    return () => window.removeEventListener("keydown", listener, true);
  }, [takesDigit, onKeys, onLeave]);
  return (
    <button
      type="button"
      className="recorder"
      data-takes-keys
      ref={field}
      aria-label={`New keys of ${title}: press them now`}
      onBlur={onLeave}
    >
      Press the new keys
    </button>
  );
}

function refusalOf(entry: ActionEntry, keys: string, own: OwnKeys): string | null {
  if (keys === "") return null;
  if (entry.within === undefined && !worksInFields(keys))
    return `${showKeys(keys, isMac)} alone would be heard while one writes: hold ${isMac ? "⌘" : "Ctrl"} or Alt with it.`;
  if (entry.keys.endsWith("Digit") && !keys.endsWith("Digit")) return "This one takes a digit, with keys to hold.";
  const [first] = sharersOf(entry, keys, own);
  return first === undefined
    ? null
    : `${showKeys(keys, isMac)} is “${first.title}” (${first.group}). Change that one first.`;
}
