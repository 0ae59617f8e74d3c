// Where the file conflicts with its target: the base, what the target has now, and what is proposed, place by place. Nothing in
// anybody's checkout has markers.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { ChangesPage, ConflictRegion, ConflictsPage } from "../../../shared/contract/pages.ts";
import { usePage } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { countOf } from "../../ui/formats.ts";

export interface ConflictPanelProps {
  readonly run: RunId;
  readonly changes: ChangesPage;
  readonly path: string;
}

export function ConflictPanel({ run, changes, path }: ConflictPanelProps) {
  const { changeset, target, agent } = changes;
  const { body, failure } = usePage({ kind: "conflicts", run, changeset, path });
  if (failure !== null)
    return <Notice title="The conflict could not be read" message={failure.message} code={failure.code} />;
  if (body === null) return <Skeleton lines={2} label="The conflict is being read" />;
  if (body.kind === "none") return null;
  return (
    <details className="conflict" open>
      <summary>
        <b>{headline(body, target)}</b>
        <span className="faint">
          Leave out the hunks in question, send it back to be redone on the new {target}, or reject it.
        </span>
      </summary>
      {body.regions.length > 0 && (
        <ScrollBox className="conflict-regions" label="Conflicts">
          {body.regions.map((region) => (
            <Region key={region.targetStart} region={region} target={target} agent={agent} />
          ))}
        </ScrollBox>
      )}
    </details>
  );
}

function headline({ kind, regions }: ConflictsPage, target: string): string {
  return kind === "whole"
    ? `This file and the ${target} of now differ as a whole: it is gone on one side, or no text.`
    : `${countOf(regions.length, "place")} changed on ${target} since, otherwise than here`;
}

interface RegionProps {
  readonly region: ConflictRegion;
  readonly target: string;
  readonly agent: string;
}

function Region({ region, target, agent }: RegionProps) {
  const sides = [
    ["Base", region.base],
    [`${target} now, from line ${region.targetStart}`, region.target],
    [agent, region.proposed],
  ] as const;
  return (
    <div className="conflict-region">
      {sides.map(([title, lines]) => (
        <section key={title}>
          <h3>{title}</h3>
          <pre>{lines.length === 0 ? "(no lines)" : lines.join("\n")}</pre>
        </section>
      ))}
    </div>
  );
}
