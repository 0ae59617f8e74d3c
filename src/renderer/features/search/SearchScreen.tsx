// Words, looked for in the titles, transcripts and changed files of all runs. Each find leads to its exact place.

import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";

import type { SearchHit, SearchPage } from "../../../shared/contract/care.ts";
import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useReadPage } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { formatMoment } from "../../ui/formats.ts";
import { groupHits, splitExcerpt } from "./hits.ts";

/** Where a find is, as a place of the window. */
export interface FoundPlace {
  readonly run: RunId;
  readonly agent: AgentId | null;
  readonly entry: number | null;
}

const limit = 100;
/** So long after the last letter it looks, ms. */
const restMs = 200;
const againMs = 300;

export function SearchScreen({ onOpen }: { readonly onOpen: (place: FoundPlace) => void }) {
  const [text, setText] = useState("");
  const { page, failure, isSearching } = useSearch(text.trim());
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const list = useRef<HTMLDivElement>(null);

  function walk(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const stops = [field.current, ...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.max(0, Math.min(at + step, stops.length - 1))]?.focus();
    event.preventDefault();
  }
  return (
    <main className="middle search-screen" data-region="search" tabIndex={-1} aria-label="Search everything">
      {/* Arrows walk from the field through the finds; each of them is a button of its own. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="search-page" onKeyDown={walk}>
        <label className="search-field">
          <Search size={16} aria-hidden="true" />
          <span className="heard">Words in titles, transcripts and changed files of all runs</span>
          <input
            ref={field}
            type="search"
            placeholder="Words in titles, transcripts and changed files of all runs"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <p className="search-said small" role="status">
          {sayStanding(text.trim(), page, isSearching)}
        </p>
        {failure !== null && <Notice title="Could not search" message={failure.message} code={failure.code} />}
        <div ref={list}>
          {page !== null &&
            groupHits(page.hits).map(({ run, title, repo, hits }) => (
              <section key={run} className="hit-run" aria-label={title}>
                <h2>
                  <span className="one">{title}</span>
                  <span className="faint small one">{repo}</span>
                </h2>
                <ul>
                  {hits.map((hit, at) => (
                    // One event may hold the words in several of its texts.
                    <li key={`${hit.n}-${at}`}>
                      <Hit hit={hit} onOpen={onOpen} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
        </div>
      </div>
    </main>
  );
}

function Hit({ hit, onOpen }: { readonly hit: SearchHit; readonly onOpen: (place: FoundPlace) => void }) {
  const { run, kind, agent, n, where, at, excerpt } = hit;
  return (
    <button
      type="button"
      className="hit"
      onClick={() =>
        onOpen(kind === "title" ? { run, agent: null, entry: null } : { run, agent, entry: kind === "file" ? null : n })
      }
    >
      <span className="hit-where">
        {agent === "lead" ? "Lead" : agent}, {where}
        <span className="faint fig push">{formatMoment(at)}</span>
      </span>
      <span className={kind === "file" ? "hit-text hit-file" : "hit-text"}>
        {splitExcerpt(excerpt).map((part, index) =>
          // Parts alternate; a part's place is its identity.
          part.isMatch ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
        )}
      </span>
    </button>
  );
}

function sayStanding(text: string, page: SearchPage | null, isSearching: boolean): string {
  if (text === "") return "Every word must be there; a word’s beginning is enough.";
  if (page === null) return isSearching ? "Searching…" : "";
  const { hits, isCut, behindCount } = page;
  const found =
    hits.length === 0
      ? "Nothing found: no title, transcript or changed file of any run has all of these words"
      : `${isCut ? "The first " : ""}${hits.length} found`;
  return behindCount === 0 ? `${found}.` : `${found} so far; ${behindCount} events are still being read.`;
}

/** Looks once the typing rests, and again as long as the index has not seen everything. */
function useSearch(text: string) {
  const readPage = useReadPage();
  const [found, setFound] = useState<{ readonly page: SearchPage | null; readonly failure: Failure | null }>({
    page: null,
    failure: null,
  });
  const [isSearching, setIsSearching] = useState(false);
  useEffect(() => {
    let isWanted = true;
    let timer = setTimeout(() => void look(), restMs);
    async function look(): Promise<void> {
      if (text === "") return setFound({ page: null, failure: null });
      setIsSearching(true);
      const answer = await readPage("search", { text, limit });
      if (!isWanted) return;
      setIsSearching(false);
      setFound((before) =>
        answer.ok ? { page: answer.value, failure: null } : { page: before.page, failure: answer.error },
      );
      if (answer.ok && answer.value.behindCount > 0) timer = setTimeout(() => void look(), againMs);
    }
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, readPage]);
  return { ...found, isSearching };
}
