// Who asks, why, where it would happen and what a yes would come to, as facts.

import type { ReactNode } from "react";

import type { ApprovalPage, PlanNode } from "../../../shared/contract/runPages.ts";
import { RoleName } from "../../ui/RoleName.tsx";
import { TerminalText } from "../../ui/TerminalText.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { countOf, formatTime } from "../../ui/formats.ts";
import type { WholeApproval } from "../useApproval.ts";
import { askerOf, usedOf } from "./ask.ts";
import type { Ask } from "./ask.ts";

export interface AskFactsProps {
  readonly ask: Ask;
  readonly whole: WholeApproval;
  readonly isRoomy: boolean;
}

export function AskFacts({ ask, whole: { why, page }, isRoomy }: AskFactsProps) {
  const { approval, run } = ask;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ["Why", why === null || hasOwnPicture(approval) ? null : <Ticked text={why} />],
    ["Blocks", blockedBy(page?.conflict ?? null)],
    ["Plan", page?.plan == null ? null : <PlanNodes nodes={page.plan.nodes} />],
    ["Says", page?.said == null || page.kind === "question" ? null : <Ticked text={`“${page.said}”`} />],
    ["Where", whereOf(ask, page)],
    ["Changed", page?.effect == null ? null : changedBy(page.effect.files)],
    ["Printed", page?.effect == null ? null : printedBy(page.effect.output)],
    ["Used", page?.raise == null ? null : usedOf(page.raise)],
    ["Rule", page?.allows == null || !isRoomy ? null : ruleWords[page.allows]],
  ];
  return (
    <>
      {isRoomy && page !== null && <Chain ask={ask} page={page} />}
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        {approval.kind === "changeset" && (
          <div>
            <dt>Lands on</dt>
            <dd>
              <code>{run.target}</code>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** The graph as a list: each piece of work after those that it waits for. */
function PlanNodes({ nodes }: { readonly nodes: readonly PlanNode[] }) {
  return (
    <ol className="plan-nodes">
      {nodes.map(({ id, title, role, dependsOn }) => (
        <li key={id}>
          {role === null ? "any role" : <RoleName role={role} />} <b>{title}</b>
          {dependsOn.length > 0 && <small>after {dependsOn.map((one) => titleOf(nodes, one)).join(", ")}</small>}
        </li>
      ))}
    </ol>
  );
}

function titleOf(nodes: readonly PlanNode[], id: string): string {
  return nodes.find((node) => node.id === id)?.title ?? id;
}

const ruleWords: Readonly<Record<NonNullable<ApprovalPage["allows"]>, string>> = {
  words: "A lasting yes allows these words, however they are quoted, and no others.",
  line: "A lasting yes allows this very line, character for character.",
};

/** Where it would happen: the work place, and what it may reach. */
function whereOf({ approval: { kind, agent }, run }: Ask, page: ApprovalPage | null): string | null {
  if (kind !== "command" && kind !== "permission" && kind !== "effect") return null;
  const place = agent === "lead" ? `a copy of ${run.repo}` : `the worktree of ${agent}`;
  if (page === null) return place;
  const folder = page.folder === null ? place : `${page.folder}, in ${place}`;
  return `${folder}; ${page.network === "on" ? "with network" : "no network"}`;
}

/** What its summary says stands as a picture of its own: a plan's graph, the sides of a conflict. */
function hasOwnPicture({ kind }: Ask["approval"]): boolean {
  return kind === "plan" || kind === "reconcile";
}

function blockedBy(conflict: ApprovalPage["conflict"]): string | null {
  if (conflict === null || conflict.steps.length === 0) return null;
  return `${conflict.steps.join(", ")} of the plan; other work goes on`;
}

function changedBy(files: readonly string[]): ReactNode {
  if (files.length === 0) return "no file in its worktree";
  return (
    <>
      {countOf(files.length, "file")}:{" "}
      {files.slice(0, 8).map((file) => (
        <code className="ask-file" key={file}>
          {file}
        </code>
      ))}
      {files.length > 8 && ` and ${files.length - 8} more`}
    </>
  );
}

function printedBy(output: string | null): ReactNode {
  if (output === null) return "nothing that is known";
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="output ask-output" tabIndex={0}>
      <TerminalText text={output.trimEnd()} />
    </pre>
  );
}

/** How it came to be asked: the person gave a task, the lead sent somebody, who asks. */
function Chain({ ask, page }: { readonly ask: Ask; readonly page: ApprovalPage }) {
  const { role, name } = askerOf(ask);
  return (
    <ol className="chain">
      <li>
        <b>You</b> gave the task, {formatTime(page.assignedAt)}
        <p>{ask.run.title}</p>
      </li>
      {page.sent !== null && (
        <li>
          <b>Lead</b> sent {name}, {formatTime(page.sent.at)}
          {page.sent.reason !== null && <p>“{page.sent.reason}”</p>}
        </li>
      )}
      <li>
        <RoleName role={role} /> {name !== "Lead" && name} asks{page.turn > 0 && `, turn ${page.turn}`}
      </li>
    </ol>
  );
}
