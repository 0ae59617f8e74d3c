// One place of a conflict: the base, what the target has there now and what is proposed, and what of it is to land.

import { Check, Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

import type { ConflictRegion } from "../../../shared/contract/pages.ts";
import type { ConflictPick } from "../../../shared/contract/resolutions.ts";
import { LandingField } from "./LandingField.tsx";
import { editableLines } from "./hunkEdit.ts";

export interface PlaceProps {
  /** From 1. */
  readonly number: number;
  readonly target: string;
  readonly agent: string;
  readonly pick: ConflictPick | null;
  /** `null`: nothing can be decided. */
  readonly onPick: ((pick: ConflictPick | null) => void) | null;
}

export interface ConflictPlaceProps extends PlaceProps {
  readonly region: ConflictRegion;
  /** Whether the run has check commands. */
  readonly isChecked: boolean;
}

export function ConflictPlace(props: ConflictPlaceProps) {
  const { number, region, target, agent, pick, onPick, isChecked } = props;
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const whole = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isEditing) whole.current?.scrollIntoView({ block: "nearest" });
  }, [isEditing]);
  const text = pick !== null && typeof pick === "object" ? pick.text : null;
  const close = () => {
    editButton.current?.focus();
    setEditing(false);
  };
  const choose =
    onPick &&
    ((chosen: ConflictPick | null) => {
      setEditing(false);
      onPick(chosen);
    });
  // A person begins with both, and takes away what is not to stay.
  const editable = region.isCut ? null : editableLines([...region.target, ...region.proposed], region.endsWithLine);
  return (
    <section ref={whole} className="conflict-place" data-chosen={pick !== null} aria-label={`Place ${number}`}>
      <Head
        title={`Place ${number}`}
        note={`line ${region.line}`}
        pick={pick}
        onPick={choose}
        sides={[
          ["target", `Keep ${target}’s`],
          ["proposed", `Take ${agent}’s`],
          ["both", `Both, ${target}’s first`],
        ]}
      >
        {editable?.kind === "text" && (
          <button
            ref={editButton}
            type="button"
            className="btn"
            aria-pressed={text !== null}
            onClick={() => setEditing(true)}
          >
            <Pencil size={12} aria-hidden="true" /> Edit<span className="heard">for Place {number}</span>
          </button>
        )}
      </Head>
      {isEditing && editable?.kind === "text" ? (
        <LandingField
          label={`Lines of place ${number} as they will land`}
          editable={editable}
          edit={text}
          isChecked={isChecked}
          onSave={(edited) => {
            close();
            onPick?.(edited === null ? "both" : { text: edited });
          }}
          onCancel={close}
        />
      ) : text !== null ? (
        <Lines title="As edited by you" lines={linesOf(text)} region={region} isTaken />
      ) : (
        <div className="conflict-sides">
          <Lines title="Base" lines={region.base} region={region} isTaken={false} />
          <Lines
            title={`${target} now`}
            lines={region.target}
            region={region}
            isTaken={pick === "target" || pick === "both"}
          />
          <Lines
            title={agent}
            lines={region.proposed}
            region={region}
            isTaken={pick === "proposed" || pick === "both"}
          />
        </div>
      )}
      {region.isCut && <p className="faint conflict-note">Shown by its beginning. What is chosen lands whole.</p>}
    </section>
  );
}

export interface WholePlaceProps extends PlaceProps {
  readonly isGoneThere: boolean;
  readonly isGoneHere: boolean;
}

/** A file that cannot be told by lines: one side of it, as a whole. */
export function WholePlace({ target, agent, pick, onPick, isGoneThere, isGoneHere }: WholePlaceProps) {
  return (
    <section className="conflict-place" data-chosen={pick !== null} aria-label="The file as a whole">
      <Head
        title="The file as a whole"
        note=""
        pick={pick}
        onPick={onPick}
        sides={[
          ["target", isGoneThere ? "Leave it removed" : `Keep ${target}’s`],
          ["proposed", isGoneHere ? "Remove it" : `Take ${agent}’s`],
        ]}
      />
      <p className="conflict-note">
        {isGoneThere
          ? `It is gone from ${target}, and ${agent} changes it.`
          : isGoneHere
            ? `${agent} removes it, and it was changed on ${target}.`
            : "It was changed on both sides, and is no text that could be merged by lines."}
      </p>
    </section>
  );
}

interface HeadProps extends Pick<PlaceProps, "pick" | "onPick"> {
  readonly title: string;
  readonly note: string;
  readonly sides: readonly (readonly [side: ConflictPick & string, words: string])[];
  readonly children?: ReactNode;
}

function Head({ title, note, pick, onPick, sides, children }: HeadProps) {
  return (
    <header className="conflict-head">
      <h4>
        {title} <span className="faint fig">{note}</span>
      </h4>
      {pick !== null && (
        <span className="hunk-word good">
          <Check size={12} aria-hidden="true" /> Chosen
        </span>
      )}
      {onPick !== null && (
        <span className="conflict-acts">
          {sides.map(([side, words]) => (
            <button
              key={side}
              type="button"
              className="btn"
              aria-pressed={pick === side}
              onClick={() => onPick(pick === side ? null : side)}
            >
              {words}
              <span className="heard">for {title}</span>
            </button>
          ))}
          {children}
        </span>
      )}
    </header>
  );
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly region: ConflictRegion;
  readonly isTaken: boolean;
}

function Lines({ title, lines, region, isTaken }: LinesProps) {
  return (
    <div className="conflict-lines" data-taken={isTaken}>
      <h5>
        {title} {isTaken && <span className="good">lands</span>}
      </h5>
      <pre>
        <span className="faint">{joined(region.before)}</span>
        <b>{lines.length === 0 ? "(no lines)\n" : joined(lines)}</b>
        <span className="faint">{joined(region.after)}</span>
      </pre>
    </div>
  );
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
