// The commands that Coppice itself runs for a new run: set-up in each worktree, checks on each change. What the repository
// brings stands where nothing is written; what it offers can be taken over by a press.

import type { RepositoryPage } from "../../../shared/contract/care.ts";
import { CommandsField } from "./CommandsField.tsx";
import { type Draft, linesOf } from "./order.ts";

export interface ChecksFieldProps {
  readonly draft: Pick<Draft, "verify" | "setup" | "setupNetwork" | "skipsCommands">;
  readonly page: RepositoryPage | null;
  readonly onChange: (changes: Partial<Draft>) => void;
}

export function ChecksField({ draft, page, onChange }: ChecksFieldProps) {
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
              checked={setupNetwork === null ? asks : setupNetwork === "on"}
              onChange={(event) => onChange({ setupNetwork: event.currentTarget.checked ? "on" : "off" })}
            />
            <span>
              Set-up may use the network{" "}
              <span className="faint">
                {asks ? "(asked for in .coppice/config.json)" : "(what agents run does not get it by this)"}
              </span>
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
