// Backups of all runs, runs as files, and what the doctor finds. Files are on the machine that Coppice runs on.

import { useId, useState } from "react";

import type { CareBodies } from "../../../shared/contract/care.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import { usePage, useReadPage } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { countOf, formatBytes, formatMoment } from "../../ui/formats.ts";
import { Spoken } from "../Spoken.tsx";
import { WorkUnderWay } from "../WorkUnderWay.tsx";
import { useCare } from "../useCare.ts";
import type { RunChoice } from "./part.ts";

export function HistoryPart({ runs }: { readonly runs: readonly RunChoice[] }) {
  return (
    <>
      <Backups />
      <RunFiles runs={runs} />
      <Doctor />
    </>
  );
}

function Backups() {
  const [version, setVersion] = useState(0);
  const { body, failure } = usePage({ kind: "backups" }, version);
  const [said, take] = useCare();
  return (
    <section aria-label="Backups">
      <h3>Backups</h3>
      {failure !== null && (
        <Notice title="The backups could not be read" message={failure.message} code={failure.code} />
      )}
      {body?.problem != null && <p className="bad">The last backup does not count: {body.problem}</p>}
      {body !== null && body.backups.length > 0 && <BackupTable backups={body.backups} />}
      <div className="care-act">
        <button
          type="button"
          className="btn"
          disabled={said === "busy"}
          onClick={() => void take({ type: "backUp" }).then(() => setVersion((before) => before + 1))}
        >
          Back up now
        </button>
        <Spoken
          said={said}
          work="backUp"
          busy="Copying and proving it…"
          rest="Made once a day, also when Coppice closes; the last three are kept. To go back to one: `coppice backup --restore`."
        />
      </div>
    </section>
  );
}

function BackupTable({ backups }: { readonly backups: CareBodies["backups"]["backups"] }) {
  return (
    <table className="plain-table">
      <tbody>
        {backups.map(({ name, at, runs, events, bytes }) => (
          <tr key={name}>
            <th scope="row">{formatMoment(at)}</th>
            <td className="num fig">{formatBytes(bytes)}</td>
            <td className="faint">
              {countOf(runs, "run")}, {countOf(events, "event")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RunFiles({ runs }: { readonly runs: readonly RunChoice[] }) {
  const ids = { run: useId(), out: useId(), in: useId() };
  const [run, setRun] = useState<RunId | null>(null);
  const [files, setFiles] = useState({ out: "", in: "" });
  const [exported, takeOut] = useCare();
  const [imported, takeIn] = useCare();
  const chosen = run ?? runs[0]?.run ?? null;
  return (
    <section aria-label="Runs as files">
      <h3>Runs as files</h3>
      {chosen !== null && (
        <form
          className="care-act"
          onSubmit={(event) => {
            event.preventDefault();
            void takeOut({ type: "exportRun", run: chosen, file: files.out.trim() });
          }}
        >
          <label htmlFor={ids.run} className="heard">
            Which run
          </label>
          <select id={ids.run} value={chosen} onChange={(event) => setRun(event.currentTarget.value as RunId)}>
            {runs.map((one) => (
              <option key={one.run} value={one.run}>
                {one.title}
              </option>
            ))}
          </select>
          <label htmlFor={ids.out} className="heard">
            Into which file
          </label>
          <input
            id={ids.out}
            value={files.out}
            placeholder="/home/me/run.coppice"
            spellCheck={false}
            onChange={(event) => setFiles({ ...files, out: event.currentTarget.value })}
          />
          <button type="submit" className="btn" disabled={exported === "busy" || files.out.trim() === ""}>
            Export
          </button>
          <Spoken
            said={exported}
            work="exportRun"
            busy="Writing it…"
            rest="Its whole journal in one file, secrets left out."
          />
        </form>
      )}
      <form
        className="care-act"
        onSubmit={(event) => {
          event.preventDefault();
          void takeIn({ type: "importRun", file: files.in.trim() });
        }}
      >
        <label htmlFor={ids.in} className="heard">
          From which file
        </label>
        <input
          id={ids.in}
          value={files.in}
          placeholder="/home/me/run.coppice"
          spellCheck={false}
          onChange={(event) => setFiles({ ...files, in: event.currentTarget.value })}
        />
        <button type="submit" className="btn" disabled={imported === "busy" || files.in.trim() === ""}>
          Import
        </button>
        <Spoken
          said={imported}
          work="importRun"
          busy="Reading and proving it…"
          rest="To look at and replay; it is never driven here."
        />
      </form>
    </section>
  );
}

type Examined = "looking" | { readonly checks: CareBodies["doctor"]["checks"] } | { readonly problem: string } | null;

function Doctor() {
  const readPage = useReadPage();
  const [examined, setExamined] = useState<Examined>(null);
  async function examine(): Promise<void> {
    setExamined("looking");
    const answer = await readPage("doctor", {});
    setExamined(answer.ok ? { checks: answer.value.checks } : { problem: answer.error.message });
  }
  const checks = examined !== null && typeof examined === "object" && "checks" in examined ? examined.checks : [];
  const broken = checks.filter(({ ok }) => !ok);
  return (
    <section aria-label="Doctor">
      <h3>Doctor</h3>
      <div className="care-act">
        <button type="button" className="btn" disabled={examined === "looking"} onClick={() => void examine()}>
          Examine everything
        </button>
        <p role="status" className={broken.length > 0 ? "bad" : "quiet"}>
          <Ticked text={verdictOf(examined, checks.length, broken.length)} />
        </p>
        {examined === "looking" && <WorkUnderWay work="doctor" label="Reading every event…" />}
      </div>
      {broken.length > 0 && (
        <ul className="faults">
          {broken.map(({ id, title, details }) => (
            <li key={id}>
              {id} {title}: {details.join("; ")}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function verdictOf(examined: Examined, all: number, broken: number): string {
  if (examined === null)
    return "Proves the whole journal, rule by rule. To mend what can be mended: `coppice doctor --repair`.";
  if (examined === "looking") return "Reading every event…";
  if ("problem" in examined) return examined.problem;
  return broken === 0 ? `All ${all} hold.` : `${broken} of ${all} do not hold.`;
}
