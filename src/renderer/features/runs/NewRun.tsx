// The form of a new run, in the order of importance. Each repository remembers what was chosen there; Mod+Enter starts.

import { useEffect, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";

import type { RepositoryConfiguration } from "../../../shared/contract/care.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import type { ApprovalMode, CommandMode } from "../../../shared/contract/options.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import { Choices } from "../../ui/Choices.tsx";
import { Key } from "../../ui/Key.tsx";
import { keepText } from "../../ui/keep.ts";
import { isModEnter, modEnter } from "../../ui/modKey.ts";
import { Notice } from "../../ui/Notice.tsx";
import { formatMoney } from "../../ui/formats.ts";
import { roleModelsAt } from "../providers.ts";
import { useAct } from "../useAct.ts";
import { useSettings } from "../useSettings.ts";
import { BudgetFields } from "./BudgetFields.tsx";
import { ChecksField } from "./ChecksField.tsx";
import { Field } from "./Field.tsx";
import { choicesOf, ModelField } from "./ModelField.tsx";
import { PlanField } from "./PlanField.tsx";
import { PolicyField } from "./PolicyField.tsx";
import { RepositoryField, useRepository } from "./RepositoryField.tsx";
import type { FoundRepository } from "./RepositoryField.tsx";
import { TaskField } from "./TaskField.tsx";
import { TopologyField } from "./TopologyField.tsx";
import { forgetAgain, recallAgain } from "./again.ts";
import { emptyDraft, missingIn, orderOf, recall, rememberable, untrustedIn } from "./order.ts";
import type { Draft, Rest } from "./order.ts";
import { useModelFacts } from "./useModelFacts.ts";

export interface NewRunProps {
  /** A repository to begin with; empty: the one used last. */
  readonly folder: string;
  readonly task: string;
  readonly onStarted: (run: RunId) => void;
}

const noCeilings: RepositoryConfiguration["ceilings"] = {};
const lastFolderKey = "coppice.newRun.folder";
const keptKey = (folder: string) => `coppice.newRun:${folder}`;

const workers: readonly (readonly [Draft["workers"], string, string])[] = [
  ["team", "Subagents", "the lead sends and decides"],
  ["leadEdits", "The lead too", "it may edit, in its worktree"],
  ["direct", "The lead itself", "it sends only for a reason"],
  ["alone", "One agent alone", "it edits and sends nobody"],
];
const approvals: readonly (readonly [ApprovalMode, string, string])[] = [
  ["each", "Each change set", "before it lands"],
  ["final", "Once, at the end", "on a branch of the run"],
  ["auto", "Automatic", "when the checks pass"],
];
const commandModes = (network: "on" | "off"): readonly (readonly [CommandMode, string, string])[] => [
  ["ask", "Ask", "before each that is new"],
  ["allow", "Allow, confined", network === "on" ? "its worktree, and the network" : "its worktree, no network"],
  ["deny", "None", "only the checks run"],
];
const places: readonly (readonly [Draft["landOn"], string, string])[] = [
  ["run-branch", "The run’s own branch", "nothing of yours moves"],
  ["current", "The current branch", "as checked out now"],
  ["branch", "Another branch", "by name"],
];

export function NewRun(props: NewRunProps) {
  const { settings, failure } = useSettings();
  // The form begins with what the settings say, so it waits for them; without them it begins with the usual.
  return settings === null && failure === null ? (
    <main className="middle compose" data-region="new" tabIndex={-1} />
  ) : (
    <Form {...props} settings={settings} />
  );
}

function Form({ folder, task, onStarted, settings }: NewRunProps & { readonly settings: Settings | null }) {
  const [draft, setDraft] = useState<Draft>(() => beginning(folder, task, settings));
  const [isTried, setIsTried] = useState(false);
  const { act, isBusy, failure } = useAct();
  const found = useRepository(draft.folder.trim());
  const isShown = useRef(true);
  useEffect(() => forgetAgain(sessionStorage), []);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const missing = missingIn(draft) ?? untrustedIn(draft, found.page);
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));

  async function start(): Promise<void> {
    setIsTried(true);
    if (missing !== null) return;
    const receipt = await act(orderOf(draft));
    if (receipt === null) return;
    const repository = found.page?.folder ?? draft.folder.trim();
    keepText(localStorage, lastFolderKey, repository);
    keepText(localStorage, keptKey(repository), rememberable(draft));
    // Whoever has gone elsewhere meanwhile stays there.
    if (isShown.current) onStarted(receipt.run);
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    void start();
  }
  function press(event: KeyboardEvent): void {
    if (!isModEnter(event)) return;
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
          <Fields
            draft={draft}
            set={set}
            onFolder={(next) =>
              setDraft((before) => inFolder({ ...before, skipsCommands: false, setupNetwork: null }, next))
            }
            settings={settings}
            found={found}
          />
          {draft.rest !== null && <p className="again">{sayRest(draft.rest)}</p>}
          {failure !== null && (
            <Notice title="The run could not be started" message={failure.message} code={failure.code} />
          )}
        </div>
        <footer className="compose-foot">
          <span className={isTried && missing !== null ? "bad" : "faint"} role="status">
            {isTried && missing !== null ? missing : "Nothing is spent until you start."}
          </span>
          <button type="submit" className="btn main large" aria-keyshortcuts="Control+Enter" disabled={isBusy}>
            {isBusy ? "Starting…" : "Start run"} <Key name={modEnter} />
          </button>
        </footer>
      </form>
    </main>
  );
}

/** What the form begins with: a run to be repeated, else what was chosen in this repository last, else what the settings say. */
function beginning(folder: string, task: string, settings: Settings | null): Draft {
  const again = recallAgain(sessionStorage);
  if (again !== null) return again;
  const [first] = choicesOf(settings);
  const usual: Draft = {
    ...emptyDraft,
    task,
    ...(settings === null
      ? {}
      : { approve: settings.run.approve, commands: settings.run.commands, policy: settings.policy }),
    ...(first === undefined ? {} : { model: first.model, baseUrl: first.baseUrl }),
  };
  return inFolder(usual, folder === "" ? (localStorage.getItem(lastFolderKey) ?? "") : folder);
}

/** The draft in this folder, with what was chosen there last. */
function inFolder(draft: Draft, folder: string): Draft {
  return recall(localStorage.getItem(keptKey(folder.trim())), { ...draft, folder });
}

/** What goes along with a run that is started again, beside what the form shows. */
function sayRest({ network, worktrees, limits, budget }: Rest): string {
  const steps = budget.steps === null ? "no limit of steps" : `${budget.steps} steps`;
  const money = budget.costMicros === null ? "" : `, ${formatMoney(budget.costMicros / 1_000_000)}`;
  return `Also as in that run: network ${network}, worktrees ${worktrees}, ${limits.maxConcurrent} at once, ${steps}${money}.`;
}

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
  readonly onFolder: (folder: string) => void;
  readonly settings: Settings | null;
  readonly found: FoundRepository;
}

function Fields(props: FieldsProps) {
  const { draft, set, onFolder, settings, found } = props;
  return (
    <>
      <Field
        label="Repository"
        note="On the machine that Coppice runs on. Writers work in worktrees of their own, outside this folder."
      >
        {(id) => (
          <RepositoryField
            id={id}
            folder={draft.folder}
            found={found}
            onFolder={onFolder}
            includesDirty={draft.includesDirty}
            onIncludesDirty={(includesDirty) => set({ includesDirty })}
            skipsCommands={draft.skipsCommands}
            onSkipsCommands={(skipsCommands) => set({ skipsCommands })}
          />
        )}
      </Field>
      <Field
        label="Task"
        note="It goes to the lead, word for word. A subagent sees only the packet that the lead hands to it."
      >
        {(id) => (
          <TaskField id={id} folder={draft.folder} value={draft.task} onChange={(text) => set({ task: text })} />
        )}
      </Field>
      <ModelField draft={draft} set={set} settings={settings} />
      <MoreFields {...props} />
    </>
  );
}

function MoreFields({ draft, set, settings, found }: FieldsProps) {
  const facts = useModelFacts(draft.baseUrl.trim(), draft.model.trim());
  const network = draft.rest?.network ?? settings?.sandbox.network ?? "off";
  const own = draft.roleModels ?? (settings === null ? {} : roleModelsAt(settings, draft.baseUrl.trim()));
  return (
    <>
      <Choices label="Who works" options={workers} chosen={draft.workers} onChoose={(who) => set({ workers: who })} />
      {draft.workers !== "alone" && (
        <>
          <PolicyField
            policy={draft.policy}
            prices={{ price: facts?.price ?? null, areOthers: Object.keys(own).length > 0 }}
            templates={found.page?.templates ?? []}
            onChoose={(policy) => set({ policy })}
          />
          <TopologyField topology={draft.topology} mayMessage={draft.mayMessage} onChoose={set} />
          <PlanField isAsked={draft.approvePlan} onChange={(approvePlan) => set({ approvePlan })} />
        </>
      )}
      <Choices label="Asks you" options={approvals} chosen={draft.approve} onChoose={(approve) => set({ approve })} />
      <Choices
        label="Commands"
        options={commandModes(network)}
        chosen={draft.commands}
        onChoose={(commands) => set({ commands })}
      />
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
      <BudgetFields
        draft={draft}
        set={set}
        settings={settings}
        ceilings={found.page?.configuration.ceilings ?? noCeilings}
        usualMicros={found.page?.usualMicros ?? null}
      />
      <ChecksField draft={draft} page={found.page} network={network} onChange={set} />
    </>
  );
}
