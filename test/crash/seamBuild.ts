// Bundles the command line with seams, into a folder of its own, and optionally with a defect planted in one source. The
// ordinary build in out/ is never touched.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

import { build, type Plugin } from "vite";

import { projectRoot } from "../support/commandLineBuild.ts";
import { addSeams, seamName, seamRooms } from "./seams.ts";

/** A defect: `from`, which stands exactly once in `file`, becomes `to`. */
export interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface SeamBuild extends Disposable {
  /** `cli.js` with seams. */
  readonly cli: string;
  /** The probe of leases, built of the same sources. */
  readonly racer: string;
  /** The probe of merging. */
  readonly merger: string;
  /** `FILE:LINE` of every seam in it. */
  readonly sites: readonly string[];
}

const runtime = join(import.meta.dirname, "seamRuntime.ts");

/** A new folder beside the real build, so that what is not bundled is found in node_modules, and what ships with it in resources. */
export function makeBuildFolder(): string {
  const out = join(projectRoot, "out");
  mkdirSync(out, { recursive: true });
  return mkdtempSync(join(out, "crash-"));
}

/** Takes a few seconds. Throws when a source does not build, or a mutation does not fit it. */
export async function buildWithSeams(mutation?: Mutation): Promise<SeamBuild> {
  const folder = makeBuildFolder();
  const sites: string[] = [];
  const path = (name: string) => join(projectRoot, name);
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: "error",
    plugins: [plant(mutation), seams(sites)],
    ssr: { noExternal: ["ajv", "commander", "ignore", "openai", "picomatch", "pino", "ws", "yaml", "zod"] },
    build: {
      ssr: true,
      outDir: folder,
      target: "node22.12",
      minify: false,
      rolldownOptions: {
        input: {
          cli: path("src/main/cli.ts"),
          storeWorker: path("src/main/store/worker.ts"),
          careWorker: path("src/main/care/careWorker.ts"),
          racer: path("test/crash/racer.ts"),
          merger: path("test/crash/merger.ts"),
        },
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
  return {
    cli: join(folder, "cli.js"),
    racer: join(folder, "racer.js"),
    merger: join(folder, "merger.js"),
    sites,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function seams(sites: string[]): Plugin {
  return {
    name: "seams",
    enforce: "pre",
    transform(source, id) {
      const file = fileOf(id);
      if (!file.endsWith(".ts") || !seamRooms.some((room) => file.startsWith(room))) return null;
      const seamed = addSeams(source, file);
      if (seamed.sites.length === 0) return null;
      sites.push(...seamed.sites);
      return { code: `import { ${seamName} } from ${JSON.stringify(runtime)};\n${seamed.text}`, map: null };
    },
  };
}

function plant(mutation: Mutation | undefined): Plugin {
  let isPlanted = mutation === undefined;
  return {
    name: "plant",
    enforce: "pre",
    transform(source, id) {
      if (mutation === undefined || fileOf(id) !== mutation.file) return null;
      if (source.split(mutation.from).length !== 2)
        throw new Error(`The mutation of ${mutation.file} does not fit it any more: ${mutation.from}`);
      isPlanted = true;
      return { code: source.replace(mutation.from, () => mutation.to), map: null };
    },
    buildEnd() {
      if (!isPlanted) throw new Error(`The mutation of ${mutation?.file ?? ""} was never planted`);
    },
  };
}

function fileOf(id: string): string {
  return relative(projectRoot, id.split("?")[0] ?? id);
}
