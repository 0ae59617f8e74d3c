// Owns what people have set for the application: `settings/settings.json` of the data folder. Read whole, checked, written
// whole. A file that cannot be used is named with its line and what to mend, and is never written over.

import { existsSync, mkdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { WorkbenchError } from "../../shared/contract/errors.ts";
import { type Settings, settingsSchema, type SettingsChanges } from "../../shared/contract/settings.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { defaultSettings } from "./defaultSettings.ts";
import { sayIssues } from "./jsonIssues.ts";
import { replaceFile, withFileLock } from "./settingsFile.ts";

export interface SettingsStore {
  readonly file: string;
  /** What holds now: frozen, and the same object until something changes. */
  current(): Settings;
  /** Why the file cannot be used; `null` when it can, or is not there. The defaults hold then. */
  problem(): string | null;
  /** Replaces the parts that are named. On disk when it resolves. Rejects with `BAD_CONFIGURATION` while the file cannot be used, or for what would not be valid. */
  change(changes: SettingsChanges): Promise<void>;
  /** Tells whoever follows to look again: something beside the file has changed, such as a key. */
  touch(): void;
  /** Calls back when something has changed, here or by another hand. Returns the unsubscribe. */
  onChange(listener: () => void): () => void;
  close(): void;
}

/** The settings of a data folder as they stand now, for a process that asks once; nothing is made or followed. */
export function readSettings(folder: string): { readonly settings: Settings; readonly problem: string | null } {
  return look(join(folder, "settings", "settings.json"), null);
}

interface Standing {
  readonly text: string | null;
  readonly settings: Settings;
  readonly problem: string | null;
}

/** Opens the settings of a data folder. Never fails: what is wrong with the file is `problem`. */
export function openSettings(folder: string): SettingsStore {
  const directory = join(folder, "settings");
  const file = join(directory, "settings.json");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const listeners = new Set<() => void>();
  let standing = look(file, null);

  function lookAgain(): void {
    const next = look(file, standing);
    if (next === standing) return;
    standing = next;
    for (const listener of listeners) listener();
  }
  // Other processes and people write it too. Where folders cannot be watched it is read at the next change of our own.
  const watcher = watch(directory, { persistent: false }, (_event, name) => {
    if (name === null || name === "settings.json") lookAgain();
  });
  watcher.on("error", () => watcher.close());

  return {
    file,
    current: () => standing.settings,
    problem: () => standing.problem,
    async change(changes) {
      await withFileLock(`${file}.lock`, async () => {
        lookAgain();
        if (standing.problem !== null) throw refusal(standing.problem);
        const next = settingsSchema.safeParse({ ...standing.settings, ...changes });
        if (!next.success) throw refusal(`These settings cannot be kept: ${sayIssues(next.error, null)}`);
        await replaceFile(file, `${JSON.stringify(next.data, null, 2)}\n`);
      });
      lookAgain();
    },
    touch() {
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => watcher.close(),
  };
}

/** The file as it stands; `before` itself when it says the same. */
function look(file: string, before: Standing | null): Standing {
  let text: string | null = null;
  try {
    text = existsSync(file) ? readFileSync(file, "utf8") : null;
  } catch (error) {
    const problem = `${file} cannot be read (${reasonOf(error)}). Check its permissions.`;
    return before?.problem === problem ? before : { text: null, settings: defaultSettings, problem };
  }
  if (before !== null && before.text === text && (text !== null || before.problem === null)) return before;
  return read(file, text);
}

function read(file: string, text: string | null): Standing {
  if (text === null) return { text, settings: defaultSettings, problem: null };
  const bad = (problem: string): Standing => ({ text, settings: defaultSettings, problem });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return bad(`${file} is not JSON: ${reasonOf(error)}. Mend it, or move it away to begin anew.`);
  }
  const newer = z.object({ version: z.int().min(2) }).safeParse(json);
  if (newer.success)
    return bad(
      `${file} was written by a newer Coppice (version ${newer.data.version}). Use that one, or move it away.`,
    );
  const parsed = settingsSchema.safeParse(withDefaults(json, defaultSettings));
  if (parsed.success) return { text, settings: deepFreeze(parsed.data), problem: null };
  return bad(`${file}, ${sayIssues(parsed.error, text)} Mend it, or move it away to begin anew.`);
}

/** What the file leaves out is as by default, in every part of it, so that a small file and an older one are good ones. */
function withDefaults(json: unknown, defaults: unknown): unknown {
  if (!isPlain(json) || !isPlain(defaults)) return json;
  const filled = Object.entries(json).map(([name, value]) => [name, withDefaults(value, defaults[name])]);
  return { ...defaults, ...Object.fromEntries(filled) };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusal(message: string): WorkbenchError {
  return new WorkbenchError("BAD_CONFIGURATION", message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
