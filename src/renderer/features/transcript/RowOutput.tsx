// The text of a row as a program printed it. One that was clipped is leafed through, a piece at a time: the page never holds
// more than one piece, however long the whole is.

import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { ReactNode } from "react";

import { type ContentPiece, maxContentChars } from "../../../shared/contract/content.ts";
import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useReadContent } from "../../client/Client.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { TerminalText } from "../../ui/TerminalText.tsx";
import { plainText } from "../../ui/terminalText.ts";
import type { RowText } from "./entries.ts";

/** Whose transcript the row is in. */
export interface RowPlace {
  readonly run: RunId;
  readonly agent: AgentId;
}

export interface RowOutputProps {
  readonly place: RowPlace;
  readonly label: string;
  readonly row: RowText;
  /** How the text is laid out where it is whole. */
  readonly layOut?: (text: string) => string;
}

const whole = new Intl.NumberFormat("en-US");

export function RowOutput({ place, label, row, layOut = (text) => text }: RowOutputProps) {
  const pieces = usePieces(place, row);
  const { piece, from, failure } = pieces;
  const text = piece === null ? layOut(row.text) : piece.text;
  return (
    <section className="row-output" aria-label={label}>
      <h4 className="call-part">
        {label}
        {row.chars !== null && (
          <span className="fig">
            characters {whole.format(piece === null ? 1 : from + 1)} to{" "}
            {whole.format(piece === null ? Math.min(row.chars, row.text.length) : from + piece.text.length)} of{" "}
            {whole.format(row.chars)}
          </span>
        )}
        <CopyButton label={`this ${label.toLowerCase()}`} text={() => plainText(text)} />
      </h4>
      {/* It scrolls, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="output" tabIndex={0}>
        <TerminalText text={text} />
      </pre>
      {failure !== null && (
        <Notice title="This piece could not be read" message={failure.message} code={failure.code} />
      )}
      {row.chars !== null && <Leaf total={row.chars} from={from} isFirst={piece === null} onTurn={pieces.turnTo} />}
    </section>
  );
}

interface LeafProps {
  readonly total: number;
  readonly from: number;
  /** The clipped text of the row is shown: no piece has been asked for. */
  readonly isFirst: boolean;
  readonly onTurn: (after: number) => void;
}

function Leaf({ total, from, isFirst, onTurn }: LeafProps) {
  const last = Math.max(0, Math.floor((total - 1) / maxContentChars) * maxContentChars);
  const next = isFirst ? 0 : from + maxContentChars;
  return (
    <div className="leaf" role="group" aria-label="Pieces of this text">
      <Turn label="First piece" isOff={!isFirst && from === 0} onPress={() => onTurn(0)}>
        <ChevronFirst size={13} aria-hidden="true" />
      </Turn>
      <Turn
        label="Piece before"
        isOff={isFirst || from === 0}
        onPress={() => onTurn(Math.max(0, from - maxContentChars))}
      >
        <ChevronLeft size={13} aria-hidden="true" />
      </Turn>
      <Turn label="Next piece" isOff={!isFirst && next >= total} onPress={() => onTurn(next)}>
        <ChevronRight size={13} aria-hidden="true" />
      </Turn>
      <Turn label="Last piece" isOff={!isFirst && from >= last} onPress={() => onTurn(last)}>
        <ChevronLast size={13} aria-hidden="true" />
      </Turn>
    </div>
  );
}

interface TurnProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** Stays a stop of the keyboard at either end, so that the focus is not lost there. */
function Turn({ label, isOff, onPress, children }: TurnProps) {
  return (
    <button
      type="button"
      className="btn bare"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={isOff ? undefined : onPress}
    >
      {children}
    </button>
  );
}

interface Pieces {
  readonly piece: ContentPiece | null;
  /** Where it begins. */
  readonly from: number;
  readonly failure: Failure | null;
  readonly turnTo: (after: number) => void;
}

function usePieces({ run, agent }: RowPlace, { n, row }: RowText): Pieces {
  const readContent = useReadContent();
  const [held, setHeld] = useState<{ readonly piece: ContentPiece | null; readonly from: number }>({
    piece: null,
    from: 0,
  });
  const [failure, setFailure] = useState<Failure | null>(null);
  async function turnTo(after: number): Promise<void> {
    const answer = await readContent({ run, agent, n, row, after });
    setFailure(answer.ok ? null : answer.error);
    if (answer.ok) setHeld({ piece: answer.value, from: after });
  }
  return { ...held, failure, turnTo: (after) => void turnTo(after) };
}
