// Has code coloured in a thread of its own, so that no frame waits for it. A text that takes too long, or breaks the thread, stays
// without colours; the next ones get a new thread.

import type { LineColours } from "./colours.ts";
import type { ColourAnswer, ColourRequest } from "./worker.ts";

/** A text that is not coloured by then is given up. */
const maxMs = 5_000;

export interface Highlighter {
  /** Calls back with the colours, unless it is given up or closed. What was asked last is coloured first: it is what is looked at. */
  colour(text: string, language: string, onColoured: (lines: LineColours) => void): void;
  close(): void;
}

interface Asked extends Omit<ColourRequest, "id"> {
  readonly onColoured: (lines: LineColours) => void;
}

export function createHighlighter(
  startWorker = () => new Worker(new URL("worker.ts", import.meta.url), { type: "module" }),
): Highlighter {
  const waiting: Asked[] = [];
  let worker: Worker | null = null;
  let current: { readonly id: number; readonly asked: Asked; readonly timer: ReturnType<typeof setTimeout> } | null =
    null;
  let lastId = 0;

  function next(): void {
    if (current !== null) return;
    const asked = waiting.pop();
    if (asked === undefined) return;
    lastId += 1;
    worker ??= listen(startWorker());
    current = { id: lastId, asked, timer: setTimeout(giveUp, maxMs) };
    worker.postMessage({ id: lastId, text: asked.text, language: asked.language } satisfies ColourRequest);
  }

  function listen(started: Worker): Worker {
    started.addEventListener("message", ({ data }: MessageEvent<ColourAnswer>) => {
      if (current?.id !== data.id) return;
      const { asked } = current;
      end();
      asked.onColoured(data.lines);
      next();
    });
    started.addEventListener("error", giveUp);
    return started;
  }

  function end(): void {
    if (current !== null) clearTimeout(current.timer);
    current = null;
  }

  /** The text is left without colours, and the thread that is stuck with it is ended. */
  function giveUp(): void {
    end();
    worker?.terminate();
    worker = null;
    next();
  }

  return {
    colour: (text, language, onColoured) => {
      waiting.push({ text, language, onColoured });
      next();
    },
    close: () => {
      waiting.length = 0;
      end();
      worker?.terminate();
      worker = null;
    },
  };
}
