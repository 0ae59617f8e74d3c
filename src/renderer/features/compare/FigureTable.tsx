// What two runs took, a line each: both sides, and how the second differs. The side that took less is marked, by sign and weight.

import type { RunId } from "../../../shared/contract/ids.ts";
import { useNow } from "../../ui/useNow.ts";
import { type Row, rowsOf, type Side } from "./figures.ts";

export interface FigureTableProps {
  readonly one: Side;
  readonly other: Side;
  readonly onOpen: (run: RunId) => void;
}

export function FigureTable({ one, other, onOpen }: FigureTableProps) {
  const now = useNow(1_000);
  return (
    <table className="plain-table compare-table">
      <caption className="heard">What each took, and what came of it</caption>
      <thead>
        <tr>
          <th scope="col">Of each</th>
          {[one, other].map(({ snapshot: { run, title } }, index) => (
            <th key={index} scope="col">
              <button type="button" className="link one" title={title} onClick={() => onOpen(run)}>
                {title}
              </button>
            </th>
          ))}
          <th scope="col">Second to first</th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(one, other, now).map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <Value row={row} side={0} />
            <Value row={row} side={1} />
            <td className="fig faint">{row.difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ row: { values, better }, side }: { readonly row: Row; readonly side: 0 | 1 }) {
  const isBetter = better === side;
  return (
    <td className="fig" data-better={isBetter}>
      {values[side]}
      {isBetter && <span className="heard"> (less)</span>}
    </td>
  );
}
