// What a card has no room for, beside the one that is pointed at or that the keyboard has reached: its whole title, why it
// stands where it does, and, from further out, how it stands. Only for the eye: a card says all of it by itself.

import { useEffect, useState } from "react";
import type { RefObject } from "react";

import type { RadarPicture, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import type { RunView } from "../subagents.ts";
import { describeUsage, ordinalOf } from "../subagents.ts";
import { clamp } from "./geometry.ts";
import { reasonsOf } from "./reasons.ts";
import type { Detail } from "./useViewport.ts";

export interface NodePeekProps {
  readonly snapshot: RunSnapshot;
  readonly view: RunView;
  readonly radar: RadarPicture | undefined;
  readonly detail: Detail;
  readonly stage: RefObject<HTMLDivElement | null>;
}

/** How long the pointer rests before it means a card, in ms. */
const restMs = 350;

/** Half of the widest that it gets, in px: it stays inside the stage. */
const halfWidth = 156;

export function NodePeek({ snapshot, view, radar, detail, stage }: NodePeekProps) {
  const pointed = usePointedAt(stage);
  const subagent = pointed === null ? undefined : view.byId.get(pointed.id);
  const account = subagent && view.accounts.get(subagent.id);
  if (pointed === null || subagent === undefined || account === undefined) return null;
  const reasons = reasonsOf(subagent, snapshot, view, radar);
  // A card at full size shows all but its relations.
  if (detail === "near" && reasons.length === 0) return null;
  const { x, top, bottom, room } = pointed;
  const isAbove = (top + bottom) / 2 > room.height / 2;
  return (
    <div
      className="node-peek"
      aria-hidden="true"
      style={{
        left: clamp(x, Math.min(halfWidth, room.width / 2), Math.max(halfWidth, room.width - halfWidth)),
        ...(isAbove ? { bottom: room.height - top + 8 } : { top: bottom + 8 }),
      }}
    >
      {detail !== "near" && (
        <>
          <p className="node-peek-top">
            <RoleName role={subagent.role} /> <span>{ordinalOf(subagent.id)}</span>
            <Mark shape={account.shape} word={account.word} />
          </p>
          <p className="node-peek-title">{subagent.title}</p>
          {account.says !== "" && <p>{account.says}</p>}
          <p className="fig faint">
            {[...(subagent.startedAt === null ? [] : describeUsage(subagent)), subagent.model].join(", ")}
          </p>
        </>
      )}
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </div>
  );
}

/** A card in the stage, in px of the stage. */
interface Pointed {
  readonly id: string;
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly room: { readonly width: number; readonly height: number };
}

function pointedAt(stage: HTMLElement, card: HTMLElement): Pointed {
  const [outer, inner] = [stage.getBoundingClientRect(), card.getBoundingClientRect()];
  return {
    id: card.dataset["agent"] ?? "",
    x: inner.left + inner.width / 2 - outer.left,
    top: inner.top - outer.top,
    bottom: inner.bottom - outer.top,
    room: { width: outer.width, height: outer.height },
  };
}

/** The card under a pointer that rests, or that the keyboard has reached; `null` for none. Moving the picture ends it. */
function usePointedAt(stage: RefObject<HTMLDivElement | null>): Pointed | null {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cardOf = ({ target }: Event): HTMLElement | null =>
      target instanceof Element ? target.closest<HTMLElement>(".node[data-agent]") : null;
    const leave = (): void => {
      clearTimeout(timer);
      setPointed(null);
    };
    const over = (event: Event): void => {
      // Whoever walks by keyboard is not led astray by a pointer that lies about.
      if (element.querySelector(".node:focus-visible") !== null) return;
      const card = cardOf(event);
      leave();
      if (card !== null) timer = setTimeout(() => setPointed(pointedAt(element, card)), restMs);
    };
    const focus = (event: Event): void => {
      const card = cardOf(event);
      // The picture has been brought to where the card is seen by then.
      if (card?.matches(":focus-visible") === true) setPointed(pointedAt(element, card));
    };
    element.addEventListener("pointerover", over, { signal });
    for (const gone of ["pointerleave", "pointerdown", "focusout"]) element.addEventListener(gone, leave, { signal });
    element.addEventListener("wheel", leave, { passive: true, signal });
    element.addEventListener("focusin", focus, { signal });
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [stage]);
  return pointed;
}
