// A change set copied as a patch that `git apply` takes, read a piece at a time. Lies beside the features because whatever
// shows a change set may offer it.

import { ClipboardCheck, ClipboardCopy } from "lucide-react";
import { useState } from "react";

import type { ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import { useReadPage } from "../client/Client.tsx";
import { readPatch } from "./readPatch.ts";

export interface CopyPatchProps {
  readonly run: RunId;
  readonly changeset: ChangeSetId;
}

type Stage = "ready" | "reading" | "copied";

/** How long "Copied" stays, in ms. */
const copiedMs = 2_000;

export function CopyPatch({ run, changeset }: CopyPatchProps) {
  const readPage = useReadPage();
  const [stage, setStage] = useState<Stage>("ready");
  const [problem, setProblem] = useState<string | null>(null);
  // Where there is no clipboard (plain HTTP from another machine) `coppice diff` prints it.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return null;

  async function copy(to: Clipboard): Promise<void> {
    setStage("reading");
    setProblem(null);
    const read = readPatch((after) => readPage("diff", { run, changeset, after }));
    // Given as a promise, since the right to write ends soon after the click and reading may take longer.
    const blob = read.then((answer) => {
      if (!answer.ok) throw new Error(answer.error.message);
      return new Blob([answer.value], { type: "text/plain" });
    });
    try {
      await to.write([new ClipboardItem({ "text/plain": blob })]);
      setStage("copied");
      setTimeout(() => setStage("ready"), copiedMs);
    } catch (cause) {
      const answer = await read;
      setProblem(answer.ok ? `The clipboard refused it: ${String(cause)}` : answer.error.message);
      setStage("ready");
    }
  }

  return (
    <>
      <button type="button" className="btn" disabled={stage === "reading"} onClick={() => void copy(clipboard)}>
        {stage === "copied" ? (
          <ClipboardCheck size={12} aria-hidden="true" />
        ) : (
          <ClipboardCopy size={12} aria-hidden="true" />
        )}
        {stage === "copied" ? "Copied" : "Copy as patch"}
      </button>
      {problem !== null && (
        <p className="bad small" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
