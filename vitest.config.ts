// Unit, property, integration and architecture tests. End-to-end specs are Playwright's.

import { join } from "node:path";

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests start hundreds of threads and processes on the same sources, and each would strip and compile them anew.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/node");

/** The crash rig takes longest and waits most: begun first, others work beside it. */
class RigFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's: it orders by what each took before, or by size.
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => Number(isRig(right)) - Number(isRig(left)));
  }
}

function isRig({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith("test/crash/crash.integration.test.ts");
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "integration",
          include: ["{src,test}/**/*.integration.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
          exclude: ["**/*.integration.test.ts"],
          // These leave nothing behind for one another, so a worker loads each module once for all of them.
          isolate: false,
          setupFiles: "./test/support/sameSamples.ts",
        },
      },
    ],
    environment: "node",
    globalSetup: "./test/support/ownTempFolder.ts",
    // Real git and real SQLite files: a busy machine may take its time, a hanging test may not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests wait for processes of their own more than they compute, so four share two cores well.
    maxWorkers: 4,
    sequence: { sequencer: RigFirst },
    // A test that asserts nothing passes for ever.
    expect: { requireAssertions: true },
    // Anyone's git identity, hooks and signing keys stay out of the temporary repositories.
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", TZ: "UTC" },
    reporters: ["default", ["json", { outputFile: "out/reports/vitest.json" }]],
  },
});
