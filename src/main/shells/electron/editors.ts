// The person's editor: found by its command, started with the place as an argument, never through a shell.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

interface EditorKind {
  readonly name: string;
  readonly commands: readonly string[];
  /** Its arguments for a file at a line; a folder, and a file without one, are given as they are. */
  at(file: string, line: number): readonly string[];
}

const gotoStyle = (file: string, line: number) => ["--goto", `${file}:${line}`];
const colonStyle = (file: string, line: number) => [`${file}:${line}`];
const lineStyle = (file: string, line: number) => ["--line", String(line), file];

/** In the order in which they are looked for. */
const kinds: readonly EditorKind[] = [
  { name: "Visual Studio Code", commands: ["code"], at: gotoStyle },
  { name: "Cursor", commands: ["cursor"], at: gotoStyle },
  { name: "Windsurf", commands: ["windsurf"], at: gotoStyle },
  { name: "VSCodium", commands: ["codium"], at: gotoStyle },
  { name: "Zed", commands: ["zed", "zeditor"], at: colonStyle },
  { name: "Sublime Text", commands: ["subl"], at: colonStyle },
  { name: "IntelliJ IDEA", commands: ["idea", "idea64"], at: lineStyle },
  { name: "WebStorm", commands: ["webstorm", "webstorm64"], at: lineStyle },
  { name: "PyCharm", commands: ["pycharm", "pycharm64"], at: lineStyle },
];

/** Applications that are started from a desktop do not have the shell's PATH. */
const moreFolders: { readonly [platform: string]: readonly string[] } = {
  darwin: [
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/Applications/Visual Studio Code.app/Contents/Resources/app/bin",
    "/Applications/Cursor.app/Contents/Resources/app/bin",
    "/Applications/Zed.app/Contents/MacOS",
  ],
  linux: ["/usr/local/bin", "/usr/bin", "/snap/bin"],
};

export interface Editor {
  readonly name: string;
  /** Starts it on a folder or a file; resolves once it runs. Rejects when it cannot be started. */
  open(path: string, line?: number): Promise<void>;
}

/** The first editor on this machine, or `null`. `COPPICE_EDITOR` names one by its command or its path. */
export function findEditor(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Editor | null {
  const folders = [...(env["PATH"] ?? "").split(delimiter), ...(moreFolders[platform] ?? [])];
  const wanted = env["COPPICE_EDITOR"]?.trim() ?? "";
  if (wanted !== "") {
    const program = findProgram(wanted, folders, platform);
    const kind = kinds.find(({ commands }) => commands.some((command) => wanted.endsWith(command)));
    return program === null
      ? null
      : editorOf({ name: kind?.name ?? wanted, at: kind?.at ?? ((file) => [file]) }, program);
  }
  for (const kind of kinds) {
    for (const command of kind.commands) {
      const program = findProgram(command, folders, platform);
      if (program !== null) return editorOf(kind, program);
    }
  }
  return null;
}

function editorOf({ name, at }: Pick<EditorKind, "name" | "at">, program: string): Editor {
  return {
    name,
    async open(path, line) {
      const child = spawn(program, line === undefined ? [path] : at(path, line), { detached: true, stdio: "ignore" });
      await new Promise<void>((resolve, reject) => {
        child.once("spawn", resolve);
        child.once("error", reject);
      });
      child.unref();
    },
  };
}

function findProgram(command: string, folders: readonly string[], platform: NodeJS.Platform): string | null {
  if (command.includes("/") || command.includes("\\")) return existsSync(command) ? command : null;
  for (const folder of folders.filter((one) => one !== "")) {
    const found = platform === "win32" ? findWindowsProgram(folder, command) : join(folder, command);
    if (found !== null && existsSync(found)) return found;
  }
  return null;
}

/** A `.cmd` needs a shell; the editors that put one on the path have their program in the folder above. */
function findWindowsProgram(folder: string, command: string): string | null {
  if (existsSync(join(folder, `${command}.exe`))) return join(folder, `${command}.exe`);
  if (!existsSync(join(folder, `${command}.cmd`))) return null;
  return join(dirname(folder), `${command.charAt(0).toUpperCase()}${command.slice(1)}.exe`);
}
