// The first steps: a whole run to look at, and beside it one thing at a time to settle. Every step can be skipped, and all of
// it opened again.

import { Play } from "lucide-react";
import { useState } from "react";

import type { RunId } from "../../shared/contract/ids.ts";
import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import { useTopicPart } from "../client/Client.tsx";
import { ChooseModel } from "../features/onboarding/ChooseModel.tsx";
import { FirstTask } from "../features/onboarding/FirstTask.tsx";
import { HowMuch } from "../features/onboarding/HowMuch.tsx";
import { stepAfter, steps } from "../features/onboarding/steps.ts";
import type { StepName } from "../features/onboarding/steps.ts";
import { useAct } from "../features/useAct.ts";
import { useSettings } from "../features/useSettings.ts";
import { CoppiceMark } from "../ui/CoppiceMark.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SampleRun } from "./SampleRun.tsx";
import { fresh } from "./place.ts";
import type { Go } from "./usePlace.ts";
import { endWelcome } from "./welcome.ts";

export interface WelcomeScreenProps {
  readonly go: Go;
  /** Opens the form of a new run with this task in it. */
  readonly onTask: (task: string) => void;
}

export function WelcomeScreen({ go, onTask }: WelcomeScreenProps) {
  const [step, setStep] = useState<StepName>("see");
  const sample = useTopicPart("runs", sampleIn);
  const next = stepAfter(step);
  return (
    <div className="welcome">
      <header className="welcome-top">
        <CoppiceMark size={18} />
        <b>Coppice</b>
        <StepList step={step} onStep={setStep} />
      </header>
      <div className="welcome-panes">
        <main className="welcome-left" data-region="run" tabIndex={-1}>
          <Sample run={sample} />
        </main>
        <aside className="welcome-right" data-region="step" tabIndex={-1} aria-labelledby="step-title">
          <Step
            step={step}
            onTask={(task) => {
              endWelcome();
              onTask(task);
            }}
          />
        </aside>
      </div>
      <footer className="welcome-foot">
        <span className="quiet">Nothing leaves this computer until you start a run with a model elsewhere.</span>
        <button
          type="button"
          className="btn large push"
          onClick={() => {
            endWelcome();
            go({ ...fresh, run: sample }, "push");
          }}
        >
          {next === null ? "Leave it for now" : "Skip for now"}
        </button>
        {next !== null && (
          <button
            type="button"
            // One primary act on the screen: first to play the sample.
            className={sample === null && step === "see" ? "btn large" : "btn main large"}
            onClick={() => setStep(next)}
          >
            Continue
          </button>
        )}
      </footer>
    </div>
  );
}

function StepList({ step, onStep }: { readonly step: StepName; readonly onStep: (step: StepName) => void }) {
  return (
    <nav aria-label="First steps">
      <ol>
        {steps.map(({ name, label }, at) => (
          <li key={name}>
            <button type="button" aria-current={name === step ? "step" : undefined} onClick={() => onStep(name)}>
              <span className="fig">{at + 1}</span> {label}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step({ step, onTask }: { readonly step: StepName; readonly onTask: (task: string) => void }) {
  const { snapshot, settings, failure } = useSettings();
  const needsSettings = step === "model" || step === "ask";
  return (
    <>
      <h2 id="step-title">{step === "see" ? "What you see" : steps.find(({ name }) => name === step)?.title}</h2>
      {needsSettings && snapshot?.problem != null && (
        <Notice title="The settings file cannot be used" message={snapshot.problem} code="BAD_CONFIGURATION" />
      )}
      {needsSettings && settings === null && failure !== null && (
        <Notice title="The settings could not be read" message={failure.message} code={failure.code} />
      )}
      {needsSettings && settings === null && failure === null && (
        <Skeleton lines={4} label="The settings are being read" />
      )}
      {step === "see" && <Legend />}
      {settings !== null && snapshot !== null && step === "model" && (
        <ChooseModel settings={settings} keychain={snapshot.keychain} />
      )}
      {settings !== null && step === "ask" && <HowMuch />}
      {step === "task" && <FirstTask onTask={onTask} />}
    </>
  );
}

function Legend() {
  return (
    <dl className="step-legend">
      <div>
        <dt>The agents</dt>
        <dd>
          A <b>lead</b> sends subagents in waves: what may run together stands in one column, and an arrow says who
          waits for whom. Whom to send next it decides when it has read what the last ones found.
        </dd>
      </div>
      <div>
        <dt>The time</dt>
        <dd>A lane for each. Bars are turns, ticks are tool calls, diamonds are approvals and landings.</dd>
      </div>
      <div>
        <dt>The scrubber</dt>
        <dd>
          Drag it to any moment, and everything shows that moment. <kbd>Space</kbd> plays; <kbd>←</kbd> and <kbd>→</kbd>{" "}
          go event by event.
        </dd>
      </div>
    </dl>
  );
}

function Sample({ run }: { readonly run: RunId | null }) {
  const { act, isBusy, failure } = useAct();
  return (
    <>
      <header className="welcome-lead">
        <h1>{steps[0].title}</h1>
        <p className="quiet">
          A lead sends explorers, reads what they found, and only then knows whom to send next. The sample repository
          and the model’s answers are bundled: no key, no network, no cost.
        </p>
      </header>
      {run === null ? (
        <div className="welcome-play">
          <button
            type="button"
            className="btn main large"
            disabled={isBusy}
            onClick={() => void act({ type: "startSample" })}
          >
            <Play size={14} aria-hidden="true" /> {isBusy ? "Copying the sample…" : "Play the sample run"}
          </button>
          <p className="faint small">
            “Payments are sometimes charged twice. Find out why, and fix it.” It takes a few seconds; then it is yours
            to replay.
          </p>
          {failure !== null && (
            <Notice title="The sample could not be run" message={failure.message} code={failure.code} />
          )}
        </div>
      ) : (
        <SampleRun key={run} run={run} />
      )}
    </>
  );
}

/** The sample's run, where it was made. */
function sampleIn(list: RunListSnapshot | null): RunId | null {
  return list?.runs.find(({ repo }) => /[/\\]coppice-demo-[^/\\]+$/.test(repo))?.run ?? null;
}
