// What a page in a desktop window may ask of the desktop: places of runs shown and opened, a folder chosen, a link followed.
// Whatever it asks for is resolved and checked here; a path never comes from the page.

import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";

import type { Dialog, MessageBoxOptions, MessageBoxReturnValue, Shell } from "electron";

import type { HostAct, HostAnswer, HostCall, HostDescription, WorkPlace } from "../../../shared/contract/host.ts";
import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../../shared/lib/result.ts";
import type { Log } from "../../logging/log.ts";
import type { Editor } from "./editors.ts";
import { askToOpen, checkExternal, openButton } from "./externalLinks.ts";

export interface DesktopParts {
  readonly version: string;
  readonly editor: Editor | null;
  readonly shell: Pick<Shell, "openExternal" | "openPath" | "showItemInFolder">;
  readonly log: Log;
  chooseFolder(): ReturnType<Dialog["showOpenDialog"]>;
  ask(options: MessageBoxOptions): Promise<MessageBoxReturnValue>;
  openWindow(): void;
  /** Where an agent works. Codes `RUN_NOT_FOUND`, `UNKNOWN_SUBAGENT`, `PLACE_NOT_FOUND`. */
  placeOf(run: RunId, agent: AgentId | null): Promise<Result<string>>;
}

/** Hosts whose links are opened without asking, until the application quits. */
const trusted = new Set<string>();

/** Answers the calls of one window. What it returns never rejects. */
export function createDesktopCalls(parts: DesktopParts): (call: HostCall) => Promise<Result<HostAnswer>> {
  const editing: readonly HostAct[] = parts.editor === null ? [] : ["openInEditor"];
  const description: HostDescription = {
    shell: "desktop",
    version: parts.version,
    platform: process.platform,
    can: ["chooseFolder", "openExternal", "reveal", ...editing, "newWindow"],
    editor: parts.editor?.name ?? null,
  };
  return async (call) => {
    switch (call.kind) {
      case "describe":
        return succeed(description);
      case "chooseFolder": {
        const { canceled, filePaths } = await parts.chooseFolder();
        return succeed({ folder: canceled ? null : (filePaths[0] ?? null) });
      }
      case "openExternal":
        return openExternal(parts, call.url);
      case "reveal":
        return reveal(parts, call);
      case "openInEditor":
        return openInEditor(parts, call, call.line);
      case "newWindow":
        parts.openWindow();
        return succeed(null);
    }
  };
}

async function openExternal({ shell, log, ask }: DesktopParts, text: string): Promise<Result<null>> {
  const checked = checkExternal(text);
  if (!checked.ok) {
    log.note("link.refused");
    return checked;
  }
  const { host, href } = checked.value;
  if (!trusted.has(host)) {
    const { response, checkboxChecked } = await ask(askToOpen(checked.value));
    if (response !== openButton) return succeed(null);
    if (checkboxChecked) trusted.add(host);
  }
  await shell.openExternal(href);
  return succeed(null);
}

async function reveal({ shell, placeOf }: DesktopParts, place: WorkPlace): Promise<Result<null>> {
  const path = await resolvePlace(placeOf, place);
  if (!path.ok) return path;
  if (place.path === undefined) {
    const problem = await shell.openPath(path.value);
    return problem === "" ? succeed(null) : fail({ code: "UNEXPECTED", message: `${path.value}: ${problem}` });
  }
  shell.showItemInFolder(path.value);
  return succeed(null);
}

async function openInEditor(
  { editor, placeOf }: DesktopParts,
  place: WorkPlace,
  line: number | undefined,
): Promise<Result<null>> {
  if (editor === null)
    return fail({
      code: "NOT_HERE",
      message: "No editor was found. Start Coppice with COPPICE_EDITOR set to the command of yours.",
    });
  const path = await resolvePlace(placeOf, place);
  if (!path.ok) return path;
  await editor.open(path.value, place.path === undefined ? undefined : line);
  return succeed(null);
}

/** The place as it really is, links followed; one that leads out of the work place is none. */
async function resolvePlace(
  placeOf: DesktopParts["placeOf"],
  { run, agent, path }: WorkPlace,
): Promise<Result<string>> {
  const place = await placeOf(run, agent);
  if (!place.ok) return place;
  try {
    const root = await realpath(place.value);
    if (path === undefined) return succeed(root);
    const target = await realpath(join(root, path));
    if (target.startsWith(`${root}${sep}`)) return succeed(target);
    return fail({ code: "BAD_USAGE", message: `${path} leads out of the work place; it was not opened.` });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    const what = path ?? `The work place of ${agent ?? run}`;
    return fail({ code: "PLACE_NOT_FOUND", message: `${what} is not there any more.` });
  }
}
