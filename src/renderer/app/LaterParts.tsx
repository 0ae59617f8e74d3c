// The screens that a window does not begin with, and what else it need not wait for. Each is a script of its own, read once
// the first paint is over: whoever goes there a moment later waits for nothing, also where the connection is lost by then.

import { Markdown } from "../ui/Markdown.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { later } from "../ui/Later.tsx";

/** After the window has its list, ms: by then it shows what it was opened for. */
const restMs = 300;

export const Review = later(async () => (await import("../features/review/Review.tsx")).Review, Meanwhile);
export const NewRun = later(async () => (await import("../features/runs/NewRun.tsx")).NewRun, Meanwhile);
export const Inbox = later(async () => (await import("../features/inbox/Inbox.tsx")).Inbox, Meanwhile);
export const SearchScreen = later(
  async () => (await import("../features/search/SearchScreen.tsx")).SearchScreen,
  Meanwhile,
);
export const SettingsPlace = later(async () => (await import("./SettingsPlace.tsx")).SettingsPlace, Meanwhile);
export const ComparePlace = later(async () => (await import("./ComparePlace.tsx")).ComparePlace, Meanwhile);

/** Reads all of them before long. Returns what calls it off. */
export function readLaterParts(): () => void {
  const timer = setTimeout(() => {
    for (const part of [Markdown, Review, NewRun, Inbox, SearchScreen, SettingsPlace, ComparePlace])
      // Whoever goes there reads it again, and is told where that fails too.
      part.read().catch(() => undefined);
  }, restMs);
  return () => clearTimeout(timer);
}

function Meanwhile({ isLost }: { readonly isLost: boolean }) {
  return (
    <main className="middle" data-region="run" tabIndex={-1}>
      {isLost ? (
        <Notice
          title="This part of the window could not be read"
          message="Coppice was not reached, or is of another version than this page. Reload the page."
          code="PART_LOST"
        />
      ) : (
        <Skeleton lines={4} label="This part of the window is being read" />
      )}
    </main>
  );
}
