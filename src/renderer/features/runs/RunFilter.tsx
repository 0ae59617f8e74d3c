// The field over the list of runs: words of a title, or the beginning of an id. Enter opens the first that is left, Escape
// shows all of them again.

import { ListFilter, X } from "lucide-react";

export interface RunFilterProps {
  readonly sought: string;
  readonly onSought: (sought: string) => void;
  readonly onFirst: () => void;
}

export function RunFilter({ sought, onSought, onFirst }: RunFilterProps) {
  return (
    <div className="rail-filter">
      <ListFilter size={12} aria-hidden="true" />
      <input
        type="text"
        aria-label="Filter runs by title or id"
        placeholder="Filter runs"
        spellCheck={false}
        value={sought}
        onChange={(event) => onSought(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onFirst();
          else if (event.key === "Escape" && sought !== "") onSought("");
          else return;
          event.preventDefault();
        }}
      />
      {sought !== "" && (
        <button type="button" className="btn bare" aria-label="Show all runs" onClick={() => onSought("")}>
          <X size={12} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
