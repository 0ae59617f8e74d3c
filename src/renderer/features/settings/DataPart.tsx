// What the data folder takes and holds: how much, for how long, cleaning it up, and proving the journal of a run.

import { useId, useState } from "react";

import type { CareBodies } from "../../../shared/contract/care.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import { usePage, useReadPage } from "../../client/Client.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { countOf, formatBytes } from "../../ui/formats.ts";
import { Spoken } from "../Spoken.tsx";
import { useCare } from "../useCare.ts";
import { HistoryPart } from "./HistoryPart.tsx";
import { NumberField, SettingRow } from "./SettingFields.tsx";
import type { PartProps, RunChoice } from "./part.ts";

export interface DataPartProps extends PartProps {
  readonly runs: readonly RunChoice[];
}

export function DataPart({ settings, snapshot, change, runs }: DataPartProps) {
  const [version, setVersion] = useState(0);
  const { body, failure } = usePage({ kind: "storage" }, version);
  return (
    <>
      <PageState
        isThere={body !== null}
        failure={failure}
        reading="The disk is being read"
        lost="The disk could not be read"
        lines={4}
      />
      {body !== null && <DiskUse storage={body} file={snapshot.file} />}
      <h3>How long runs are kept</h3>
      <SettingRow
        label="Finished runs"
        note="They go when the data is cleaned up, with their journal and transcripts. Pinned ones stay, and those with something open. What has landed is your repository’s."
      >
        {(id) => (
          <NumberField
            id={id}
            value={settings.data.keepDays}
            unit="days"
            mayBeEmpty
            max={36_500}
            placeholder="for good"
            onCommit={(keepDays) => void change({ data: { ...settings.data, keepDays } })}
          />
        )}
      </SettingRow>
      <CleanUp onDone={() => setVersion((before) => before + 1)} />
      <HistoryPart runs={runs} />
      <RunCheck runs={runs} />
    </>
  );
}

function DiskUse({ storage, file }: { readonly storage: CareBodies["storage"]; readonly file: string }) {
  const { folder, runCount, finishedCount, journal, payloads, worktrees, searchIndex, isPartial } = storage;
  const rows = [
    ["Journal", formatBytes(journal), `${countOf(runCount, "run")}, ${finishedCount} finished`],
    ["Long texts", formatBytes(payloads), "outputs that are too long for the journal’s own file"],
    [
      "Worktrees and checkouts",
      `${isPartial ? "at least " : ""}${formatBytes(worktrees)}`,
      "of runs that go on; cleaning up takes those that are left over",
    ],
    ["Search index", formatBytes(searchIndex), "made from the journal, whenever it is missing"],
  ] as const;
  return (
    <>
      <h3>On disk</h3>
      <p className="faint small">
        <code>{folder}</code>; these settings are <code>{file}</code>
      </p>
      <table className="plain-table">
        <tbody>
          {rows.map(([what, size, about]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td className="num fig">{size}</td>
              <td className="faint">{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function CleanUp({ onDone }: { readonly onDone: () => void }) {
  const [said, take] = useCare();
  return (
    <div className="care-act">
      <button
        type="button"
        className="btn"
        disabled={said === "busy"}
        onClick={() => void take({ type: "cleanUp" }).then(onDone)}
      >
        Clean up now
      </button>
      <Spoken
        said={said}
        work="cleanUp"
        busy="Cleaning up…"
        rest="Takes what nobody can need: leftover folders, pins past their 30 days, finished runs past their time."
      />
    </div>
  );
}

type Proof = "proving" | { readonly text: string; readonly faults: readonly string[]; readonly isBad: boolean };

function RunCheck({ runs }: { readonly runs: readonly RunChoice[] }) {
  const id = useId();
  const readPage = useReadPage();
  const [run, setRun] = useState<RunId | null>(null);
  const [proof, setProof] = useState<Proof | null>(null);
  const chosen = run ?? runs[0]?.run ?? null;
  if (chosen === null) return null;
  async function prove(which: RunId): Promise<void> {
    setProof("proving");
    const answer = await readPage("runCheck", { run: which });
    if (!answer.ok) return setProof({ text: answer.error.message, faults: [], isBad: true });
    const { faults } = answer.value;
    setProof({
      text:
        faults.length === 0
          ? "Sound: its events are numbered without gaps, and the hash chain holds."
          : "Damaged. It is left as it is, and is not driven; the other runs are not concerned.",
      faults,
      isBad: faults.length > 0,
    });
  }
  return (
    <section aria-label="Prove a journal">
      <h3>Prove a journal</h3>
      <div className="care-act">
        <label htmlFor={id} className="heard">
          Of which run
        </label>
        <select
          id={id}
          value={chosen}
          onChange={(event) => {
            setRun(event.currentTarget.value as RunId);
            setProof(null);
          }}
        >
          {runs.map((one) => (
            <option key={one.run} value={one.run}>
              {one.title}
            </option>
          ))}
        </select>
        <button type="button" className="btn" disabled={proof === "proving"} onClick={() => void prove(chosen)}>
          Prove it
        </button>
        <p role="status" className={typeof proof === "object" && proof?.isBad === true ? "bad" : "quiet"}>
          {proof === "proving" ? "Reading it…" : (proof?.text ?? "Looks at every event of one run.")}
        </p>
      </div>
      {typeof proof === "object" && proof !== null && proof.faults.length > 0 && (
        <ul className="faults">
          {proof.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
