// The settings: what can be set at the left, the chosen part of it beside. Each change is kept at once; what could not be
// kept says why.

import type { ComponentType } from "react";

import type { Failure } from "../../../shared/lib/result.ts";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useSettingsEdit } from "../useSettings.ts";
import { AppearancePart } from "./AppearancePart.tsx";
import { ApprovalsPart } from "./ApprovalsPart.tsx";
import { DataPart } from "./DataPart.tsx";
import { ModelsPart } from "./ModelsPart.tsx";
import { NotificationsPart } from "./NotificationsPart.tsx";
import { PoliciesPart } from "./PoliciesPart.tsx";
import { RolesPart } from "./RolesPart.tsx";
import { RunsPart } from "./RunsPart.tsx";
import { WorktreesPart } from "./WorktreesPart.tsx";
import { SandboxPart } from "./SandboxPart.tsx";
import type { PartProps, RunChoice } from "./part.ts";

const parts = [
  { name: "models", label: "Models" },
  { name: "runs", label: "Limits and budgets" },
  { name: "policies", label: "Policies and templates" },
  { name: "approvals", label: "Approvals" },
  { name: "sandbox", label: "Sandbox" },
  { name: "roles", label: "Roles" },
  { name: "appearance", label: "Appearance" },
  { name: "notifications", label: "Notifications" },
  { name: "keys", label: "Keys" },
  { name: "worktrees", label: "Worktrees" },
  { name: "data", label: "Data" },
] as const;

type PartName = (typeof parts)[number]["name"];

export interface SettingsScreenProps {
  /** Which part; an unknown one is the first. */
  readonly section: string | null;
  readonly onSection: (section: PartName) => void;
  readonly onWelcome: () => void;
  /** The keys, which know the actions of the whole window. */
  readonly keysPart: ComponentType<PartProps>;
  readonly runs: readonly RunChoice[];
}

export function SettingsScreen({ section, onSection, onWelcome, keysPart, runs }: SettingsScreenProps) {
  const { snapshot, settings, failure, isBusy, isSaved, change } = useSettingsEdit();
  const name = parts.find((part) => part.name === section)?.name ?? "models";
  const label = parts.find((part) => part.name === name)?.label ?? "";
  return (
    <main className="middle settings" data-region="settings" tabIndex={-1} aria-labelledby="settings-title">
      <nav className="settings-nav" aria-label="Settings">
        <h1 id="settings-title">Settings</h1>
        <ul>
          {parts.map((part) => (
            <li key={part.name}>
              <button
                type="button"
                aria-current={part.name === name ? "page" : undefined}
                onClick={() => onSection(part.name)}
              >
                {part.label}
              </button>
            </li>
          ))}
        </ul>
        <button type="button" className="link small" onClick={onWelcome}>
          First steps…
        </button>
      </nav>
      <div className="settings-page">
        <header>
          <h2>{label}</h2>
          <span className="faint small" role="status">
            {isBusy ? "Keeping it…" : isSaved ? "Kept" : ""}
          </span>
        </header>
        <Problems problem={snapshot?.problem ?? null} failure={failure} isRead={snapshot !== null} />
        {settings === null || snapshot === null ? (
          failure === null && <Skeleton lines={5} label="The settings are being read" />
        ) : (
          <Part name={name} keysPart={keysPart} runs={runs} part={{ settings, snapshot, change }} />
        )}
      </div>
    </main>
  );
}

interface PartChoiceProps {
  readonly name: PartName;
  readonly keysPart: ComponentType<PartProps>;
  readonly runs: readonly RunChoice[];
  readonly part: PartProps;
}

function Part({ name, keysPart: KeysPart, runs, part }: PartChoiceProps) {
  switch (name) {
    case "models":
      return <ModelsPart {...part} />;
    case "runs":
      return <RunsPart {...part} />;
    case "policies":
      return <PoliciesPart {...part} />;
    case "approvals":
      return <ApprovalsPart {...part} />;
    case "sandbox":
      return <SandboxPart {...part} />;
    case "roles":
      return <RolesPart {...part} />;
    case "appearance":
      return <AppearancePart {...part} />;
    case "notifications":
      return <NotificationsPart {...part} />;
    case "keys":
      return <KeysPart {...part} />;
    case "worktrees":
      return <WorktreesPart />;
    case "data":
      return <DataPart {...part} runs={runs} />;
  }
}

interface ProblemsProps {
  readonly problem: string | null;
  readonly failure: Failure | null;
  /** A failure is that of a change, since they are there to be read. */
  readonly isRead: boolean;
}

function Problems({ problem, failure, isRead }: ProblemsProps) {
  return (
    <>
      {problem !== null && (
        <Notice
          title="The settings file cannot be used, so the defaults hold"
          message={problem}
          code="BAD_CONFIGURATION"
        />
      )}
      {failure !== null && failure.message !== problem && (
        <Notice
          title={isRead ? "Not kept" : "The settings could not be read"}
          message={failure.message}
          code={failure.code}
        />
      )}
    </>
  );
}
