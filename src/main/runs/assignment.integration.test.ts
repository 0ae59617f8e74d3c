// From a task to a run that can begin, on a real repository: what it starts from, and where it may land.

import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import { defaultLimits, type RunOptions } from "../../shared/contract/options.ts";
import { type Assignment, prepareRun } from "./assignment.ts";
import { createGit } from "../git/createGit.ts";

describe("a run that is prepared", () => {
  let repository: TempRepository;
  beforeEach(() => {
    repository = createTempRepository();
    repository.git("branch", "--move", "trunk");
  });
  afterEach(() => {
    repository.cleanup();
    rmSync(repository.outside, { recursive: true, force: true });
  });

  const prepare = (options: Partial<RunOptions> = {}): ReturnType<typeof prepareRun> => {
    const assignment: Assignment = {
      folder: repository.folder,
      task: "Mend the parser",
      options: {
        model: "scripted",
        baseUrl: "http://127.0.0.1:1/v1",
        approve: "each",
        commands: "ask",
        network: "off",
        isAttended: true,
        landOn: { kind: "run-branch" },
        worktrees: "on",
        verify: [],
        ...options,
      },
      limits: defaultLimits,
      budget: { steps: 10, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null },
      wallMs: null,
      price: null,
      includesDirty: false,
    };
    return prepareRun(createGit({ dataFolder: repository.outside }), assignment);
  };

  test("[A02] [A07] starts from the commit that is checked out, whatever its branch is called and whatever others hold", async () => {
    repository.git("checkout", "--quiet", "-b", "dev");
    repository.git("commit", "--quiet", "--allow-empty", "-m", "local only");
    expect(await prepare({ landOn: { kind: "current" } })).toMatchObject({
      ok: true,
      value: { data: { base: repository.git("rev-parse", "dev"), baseBranch: "dev", target: "dev" } },
    });
  });

  test("[A08] lands on a branch of its own from a detached HEAD, and is refused where that shall be the current one", async () => {
    repository.git("checkout", "--quiet", "--detach");
    const base = repository.git("rev-parse", "HEAD");
    expect([await prepare(), await prepare({ landOn: { kind: "current" } })]).toMatchObject([
      {
        ok: true,
        value: { data: { base, baseBranch: null, target: expect.stringMatching(/^coppice\/mend-the-parser-/) } },
      },
      { ok: false, error: { code: "BAD_USAGE", message: expect.stringContaining("detached") } },
    ]);
  });
});
