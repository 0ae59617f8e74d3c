// The settings: what can be set at the left, the chosen part of it beside. Each change is kept at once; what could not be
// kept says why.

import type { ReactNode } from "react";

import type { Failure } from "../../../shared/lib/result.ts";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useSettings, useSettingsChange } from "../useSettings.ts";
import { AppearancePart } from "./AppearancePart.tsx";
import { ApprovalsPart } from "./ApprovalsPart.tsx";
import { DataPart } from "./DataPart.tsx";
import { ModelsPart } from "./ModelsPart.tsx";
import { NotificationsPart } from "./NotificationsPart.tsx";
import { RolesPart } from "./RolesPart.tsx";
import { RunsPart } from "./RunsPart.tsx";
import type { PartProps, RunChoice } from "./part.ts";

const parts = [
  { name: "models", label: "Models" },
  { name: "runs", label: "Limits and budgets" },
  { name: "approvals", label: "Approvals" },
  { name: "roles", label: "Roles" },
  { name: "appearance", label: "Appearance" },
  { name: "notifications", label: "Notifications" },
  { name: "keys", label: "Keys" },
  { name: "data", label: "Worktrees and data" },
] as const;

type PartName = (typeof parts)[number]["name"];

export interface SettingsScreenProps {
  /** Which part; an unknown one is the first. */
  readonly section: string | null;
  readonly onSection: (section: PartName) => void;
  readonly onWelcome: () => void;
  /** The keys, which know the actions of the whole window. */
  readonly keys: (props: PartProps) => ReactNode;
  readonly runs: readonly RunChoice[];
}

export function SettingsScreen({ section, onSection, onWelcome, keys, runs }: SettingsScreenProps) {
  const { snapshot, settings, failure } = useSettings();
  const change = useSettingsChange();
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
            {change.isBusy ? "Keeping it…" : change.isSaved ? "Kept" : ""}
          </span>
        </header>
        <Problems problem={snapshot?.problem ?? null} failure={failure} refusal={change.failure} />
        {settings === null || snapshot === null ? (
          failure === null && <Skeleton lines={5} label="The settings are being read" />
        ) : (
          <Part name={name} keys={keys} runs={runs} part={{ settings, snapshot, change: change.change }} />
        )}
      </div>
    </main>
  );
}

interface PartChoiceProps {
  readonly name: PartName;
  readonly keys: (props: PartProps) => ReactNode;
  readonly runs: readonly RunChoice[];
  readonly part: PartProps;
}

function Part({ name, keys, runs, part }: PartChoiceProps) {
  switch (name) {
    case "models":
      return <ModelsPart {...part} />;
    case "runs":
      return <RunsPart {...part} />;
    case "approvals":
      return <ApprovalsPart {...part} />;
    case "roles":
      return <RolesPart />;
    case "appearance":
      return <AppearancePart {...part} />;
    case "notifications":
      return <NotificationsPart {...part} />;
    case "keys":
      return keys(part);
    case "data":
      return <DataPart {...part} runs={runs} />;
  }
}

interface ProblemsProps {
  readonly problem: string | null;
  readonly failure: Failure | null;
  readonly refusal: Failure | null;
}

function Problems({ problem, failure, refusal }: ProblemsProps) {
  return (
    <>
      {problem !== null && (
        <Notice
          title="The settings file cannot be used, so the defaults hold"
          message={problem}
          code="BAD_CONFIGURATION"
        />
      )}
      {failure !== null && (
        <Notice title="The settings could not be read" message={failure.message} code={failure.code} />
      )}
      {refusal !== null && refusal.message !== problem && (
        <Notice title="Not kept" message={refusal.message} code={refusal.code} />
      )}
    </>
  );
}
