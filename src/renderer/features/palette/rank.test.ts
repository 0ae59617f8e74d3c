import { describe, expect, it } from "vitest";

import { bestOf } from "./rank.ts";

const names = ["Show or hide the runs", "New run", "Next run", "Settings", "Runs 1 to 9", "Keyboard shortcuts"];
const best = (typed: string) => bestOf(names, typed, (name) => name);

describe("what is typed into the palette", () => {
  it("finds beginnings first, then words in any order, then parts, then letters", () => {
    expect(best("run")).toEqual(["Runs 1 to 9", "Show or hide the runs", "New run", "Next run"]);
    expect(best("run new")).toEqual(["New run"]);
    expect(best("board")).toEqual(["Keyboard shortcuts"]);
    expect(best("stngs")).toEqual(["Settings"]);
    expect(best("nothing like it")).toEqual([]);
  });

  it("keeps everything in its own order while nothing is typed", () => {
    expect(best(" ")).toEqual(names);
  });
});
