// The form of a new run, in the order of importance. Remembers everything but the task; Mod+Enter starts.

import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { ApprovalMode } from "../../../shared/contract/options.ts";
import { Key } from "../../ui/Key.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { useAct } from "../useAct.ts";
import { Choices } from "./Choices.tsx";
import { missingIn, orderOf, recall, rememberable } from "./order.ts";
import type { Draft } from "./order.ts";

export interface NewRunProps {
  /** A repository to begin with, where none was chosen before. */
  readonly folder: string;
  readonly onStarted: (run: RunId) => void;
}

const storageKey = "coppice.newRun";
const isMac = navigator.userAgent.includes("Mac");

const approvals: readonly (readonly [ApprovalMode, string, string])[] = [
  ["each", "Each change set", "before it lands"],
  ["final", "Once, at the end", "on a branch of the run"],
  ["auto", "Automatic", "when the checks pass"],
];
const places: readonly (readonly [Draft["landOn"], string, string])[] = [
  ["run-branch", "The run’s own branch", "nothing of yours moves"],
  ["current", "The current branch", "as checked out now"],
  ["branch", "Another branch", "by name"],
];

export function NewRun({ folder, onStarted }: NewRunProps) {
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = recall(localStorage.getItem(storageKey));
    return kept.folder === "" ? { ...kept, folder } : kept;
  });
  const [isTried, setIsTried] = useState(false);
  const { act, isBusy, failure } = useAct();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const missing = missingIn(draft);
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));

  async function start(): Promise<void> {
    setIsTried(true);
    if (missing !== null) return;
    const receipt = await act(orderOf(draft));
    if (receipt === null) return;
    localStorage.setItem(storageKey, rememberable(draft));
    // Whoever has gone elsewhere meanwhile stays there.
    if (isShown.current) onStarted(receipt.run);
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    void start();
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    void start();
  }

  return (
    <main className="middle compose" data-region="new" tabIndex={-1}>
      {/* Mod+Enter starts from wherever in the form one is. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form aria-label="New run" onSubmit={submit} onKeyDown={press}>
        <div className="compose-page">
          <h1>New run</h1>
          <Fields draft={draft} set={set} />
          {failure !== null && (
            <Notice title="The run could not be started" message={failure.message} code={failure.code} />
          )}
        </div>
        <footer className="compose-foot">
          <span className={isTried && missing !== null ? "bad" : "faint"} role="status">
            {isTried && missing !== null ? missing : "Nothing is spent until you start."}
          </span>
          <button type="submit" className="btn main large" aria-keyshortcuts="Control+Enter" disabled={isBusy}>
            {isBusy ? "Starting…" : "Start run"} <Key name={isMac ? "⌘↵" : "Ctrl ↵"} />
          </button>
        </footer>
      </form>
    </main>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
}

function Fields({ draft, set }: FieldsProps) {
  return (
    <>
      <Field label="Repository" note="The folder of a git repository on the machine that Coppice runs on.">
        {(id) => (
          <input
            id={id}
            className="code-input"
            value={draft.folder}
            placeholder="/home/you/projects/shop"
            spellCheck={false}
            onChange={(event) => set({ folder: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label="Task"
        note="It goes to the lead, word for word. A subagent sees only the packet that the lead hands to it."
      >
        {(id) => (
          <textarea
            id={id}
            className="task-input"
            rows={5}
            value={draft.task}
            onChange={(event) => set({ task: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Model" note="For the lead and every subagent.">
        {(id) => (
          <input
            id={id}
            className="code-input"
            value={draft.model}
            spellCheck={false}
            onChange={(event) => set({ model: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label="Model server"
        note="An OpenAI-compatible address. Left empty, OPENAI_BASE_URL says; the key comes from OPENAI_API_KEY."
      >
        {(id) => (
          <input
            id={id}
            className="code-input"
            inputMode="url"
            value={draft.baseUrl}
            placeholder="http://127.0.0.1:11434/v1"
            spellCheck={false}
            onChange={(event) => set({ baseUrl: event.currentTarget.value })}
          />
        )}
      </Field>
      <MoreFields draft={draft} set={set} />
    </>
  );
}

function MoreFields({ draft, set }: FieldsProps) {
  return (
    <>
      <Choices label="Asks you" options={approvals} chosen={draft.approve} onChoose={(approve) => set({ approve })} />
      <Choices label="Lands on" options={places} chosen={draft.landOn} onChoose={(landOn) => set({ landOn })} />
      {draft.landOn === "branch" && (
        <Field label="Branch" note="It need not be checked out.">
          {(id) => (
            <input
              id={id}
              className="code-input"
              value={draft.branch}
              spellCheck={false}
              onChange={(event) => set({ branch: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Field
        label="Checks"
        note="Commands, one a line. Coppice runs them itself on what a subagent has written, before you see it."
      >
        {(id) => (
          <textarea
            id={id}
            className="code-input"
            rows={3}
            value={draft.verify}
            placeholder="npm test"
            spellCheck={false}
            onChange={(event) => set({ verify: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly note: string;
  readonly children: (id: string) => ReactNode;
}

/** A label, its control, and in the margin what it means. */
function Field({ label, note, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      <p className="margin-note">{note}</p>
    </div>
  );
}
