// The form of a new run and the command that it becomes. Pure.

import type { StartRun } from "../../../shared/contract/commands.ts";
import type { ApprovalMode } from "../../../shared/contract/options.ts";

export interface Draft {
  readonly folder: string;
  readonly task: string;
  readonly model: string;
  /** Empty: what the environment says. */
  readonly baseUrl: string;
  readonly approve: ApprovalMode;
  readonly landOn: "run-branch" | "current" | "branch";
  readonly branch: string;
  /** One command a line. */
  readonly verify: string;
}

export const emptyDraft: Draft = {
  folder: "",
  task: "",
  model: "",
  baseUrl: "",
  approve: "each",
  landOn: "run-branch",
  branch: "",
  verify: "",
};

/** What is missing before it can start, in words; `null` when nothing is. */
export function missingIn({ folder, task, model, landOn, branch, approve }: Draft): string | null {
  if (folder.trim() === "") return "Name the repository's folder.";
  if (task.trim() === "") return "Say what is to be done.";
  if (model.trim() === "") return "Name a model.";
  if (landOn === "branch" && branch.trim() === "") return "Name the branch to land on.";
  if (approve === "final" && landOn === "run-branch")
    return "One review at the end needs a branch to land on other than the run's own.";
  return null;
}

export function orderOf({ folder, task, model, baseUrl, approve, landOn, branch, verify }: Draft): StartRun {
  const checks = verify
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return {
    type: "startRun",
    folder: folder.trim(),
    task: task.trim(),
    model: model.trim(),
    ...(baseUrl.trim() === "" ? {} : { baseUrl: baseUrl.trim() }),
    approve,
    landOn: landOn === "branch" ? { kind: "branch", name: branch.trim() } : { kind: landOn },
    ...(checks.length === 0 ? {} : { verify: checks }),
  };
}

/** What a form begins with: what was chosen last, without the task. `text` is what `rememberable` wrote. */
export function recall(text: string | null): Draft {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    if (typeof kept !== "object" || kept === null) return emptyDraft;
    const fields = Object.entries(kept).filter(([name, value]) => typeof value === "string" && isAllowed(name, value));
    return { ...emptyDraft, ...Object.fromEntries(fields) };
  } catch {
    // Another version, or another hand, wrote it: begin afresh.
    return emptyDraft;
  }
}

function isAllowed(name: string, value: string): boolean {
  if (name === "approve") return ["each", "final", "auto", "none"].includes(value);
  if (name === "landOn") return ["run-branch", "current", "branch"].includes(value);
  return ["folder", "model", "baseUrl", "branch", "verify"].includes(name);
}

export function rememberable(draft: Draft): string {
  return JSON.stringify({ ...draft, task: "" });
}
