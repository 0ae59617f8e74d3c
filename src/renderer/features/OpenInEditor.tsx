// Opens where an agent works, or a file there, in the person's editor. Not there where no editor can be started: in a browser,
// which may stand on another machine.

import { SquareArrowOutUpRight } from "lucide-react";

import type { HostCall, WorkPlace } from "../../shared/contract/host.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { useCallHost, useHost } from "../client/Client.tsx";

export interface OpenInEditorProps {
  readonly place: WorkPlace;
  /** From 1. */
  readonly line?: number;
  /** `null`: it is open. */
  readonly onAnswer: (failure: Failure | null) => void;
}

export function OpenInEditor({ place, line, onAnswer }: OpenInEditorProps) {
  const host = useHost();
  const callHost = useCallHost();
  if (host?.can.includes("openInEditor") !== true) return null;
  const asked: HostCall = { kind: "openInEditor", ...place, ...(line === undefined ? {} : { line }) };
  return (
    <button
      type="button"
      className="btn"
      onClick={() => void callHost(asked).then((answer) => onAnswer(answer.ok ? null : answer.error))}
    >
      <SquareArrowOutUpRight size={13} aria-hidden="true" /> Open in {host.editor}
    </button>
  );
}
