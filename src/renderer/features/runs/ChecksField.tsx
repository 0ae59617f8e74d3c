// The commands that Coppice itself runs for a new run: set-up in each worktree, checks on each change. What the repository
// brings stands where nothing is written; what it offers can be taken over by a press.

import type { RepositoryPage } from "../../../shared/contract/care.ts";
import { CommandsField } from "./CommandsField.tsx";
import { type Draft, linesOf } from "./order.ts";

export interface ChecksFieldProps {
  readonly draft: Pick<Draft, "verify" | "setup" | "setupNetwork" | "skipsCommands">;
  readonly page: RepositoryPage | null;
  /** What all commands of the run have, set-up too unless something says otherwise. */
  readonly network: "on" | "off";
  readonly onChange: (changes: Partial<Draft>) => void;
}

export function ChecksField({ draft, page, network, onChange }: ChecksFieldProps) {
  const { verify, setup, setupNetwork, skipsCommands } = draft;
  const brought = skipsCommands ? undefined : page?.configuration.commands;
  const [lock] = page?.locks ?? [];
  const written = linesOf(setup).length > 0;
  const asks = !written && brought?.setupNetwork === "on";
  const offersInstall = lock !== undefined && (brought?.setup.length ?? 0) === 0;
  return (
    <>
      <CommandsField
        label="Set-up"
        note="Commands, one a line. Coppice runs them in each new worktree, before a subagent works there."
        rows={2}
        value={setup}
        standing={brought?.setup ?? []}
        example={lock?.install ?? "make deps"}
        about={
          lock !== undefined && (
            <>
              <code>{lock.path}</code>: a worktree begins without what it installs.
            </>
          )
        }
        offered={offersInstall ? [lock.install] : []}
        offer="Add the set-up"
        onChange={(value) => onChange({ setup: value })}
      >
        {(written || (brought?.setup.length ?? 0) > 0) && (
          <label className="toggle">
            <input
              type="checkbox"
              checked={setupNetwork === null ? asks || network === "on" : setupNetwork === "on"}
              onChange={(event) => onChange({ setupNetwork: event.currentTarget.checked ? "on" : "off" })}
            />
            <span>
              Set-up may use the network <span className="faint">{noteOf(asks, network)}</span>
            </span>
          </label>
        )}
      </CommandsField>
      <CommandsField
        label="Checks"
        note="Commands, one a line. Coppice runs them itself on what a subagent has written, before you see it."
        rows={3}
        value={verify}
        standing={brought?.verify ?? []}
        example={page?.checks[0] ?? "npm test"}
        about="Found here:"
        offered={(page?.checks ?? []).filter((check) => brought?.verify.includes(check) !== true)}
        offer="Add the check"
        onChange={(value) => onChange({ verify: value })}
      />
    </>
  );
}

function noteOf(asks: boolean, network: "on" | "off"): string {
  if (network === "on") return "(as all commands of this run may)";
  return asks ? "(asked for in .coppice/config.json)" : "(what agents run does not get it by this)";
}
