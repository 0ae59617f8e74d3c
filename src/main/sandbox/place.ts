// Owns the check of the folders a command is to run in, before anything starts, and the making of its private ones.
// It must never let a missing folder look like a missing program: Node says `spawn bash ENOENT` to both.

import { mkdir, realpath, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CommandSpec } from "../engine/ports/command.ts";
import { fail, succeed, type Result } from "../../shared/lib/result.ts";
import { isWithin } from "./mounts.ts";
import { resolveExisting } from "./layout.ts";

/** HOME is hidden, so the person's name is too; without one `git commit` refuses. The repository's own setting wins. */
const gitConfiguration = "[user]\n\tname = Coppice agent\n\temail = agent@coppice.invalid\n";

/** The resolved working folder, or a sentence that says what is wrong with it and what to do. */
export async function checkPlace(spec: CommandSpec): Promise<Result<string, string>> {
  if (spec.command.includes("\0"))
    return fail(
      "The command line contains a NUL byte, which no shell can take. Write it as \\0 inside quotes, or use a file.",
    );
  const relative = [spec.root, spec.cwd, spec.privateHome].find((folder) => !path.isAbsolute(folder));
  if (relative !== undefined) return fail(`The folder "${relative}" is not absolute. Commands need absolute folders.`);
  const root = await resolveExisting(spec.root);
  if (root === null)
    return fail(
      `The work place ${spec.root} is gone: it was removed after it was given out. Nothing can run here any more; finish with what is known.`,
    );
  const shown = path.relative(spec.root, spec.cwd) || ".";
  if (!isWithin(path.resolve(spec.cwd), path.resolve(spec.root)) && !isWithin(path.resolve(spec.cwd), root)) {
    return fail(`The folder "${shown}" is outside the work place. Name a folder inside it, relative to its root.`);
  }
  const cwd = await resolveExisting(spec.cwd);
  if (cwd === null)
    return fail(
      `The folder "${shown}" does not exist in the work place. Create it first, with a command that runs at the root.`,
    );
  if (!isWithin(cwd, root))
    return fail(`The folder "${shown}" is a link that leads outside the work place. Name a folder inside it.`);
  if (!(await stat(cwd)).isDirectory())
    return fail(`"${shown}" is a file, not a folder. Run the command in the folder that holds it.`);
  return succeed(cwd);
}

/** Makes the folders that belong to the run, and names every folder as it is called after links, which hiding may take away. */
export async function settleFolders(spec: CommandSpec): Promise<CommandSpec> {
  await mkdir(path.join(spec.privateHome, "tmp"), { recursive: true });
  await writeFile(path.join(spec.privateHome, ".gitconfig"), gitConfiguration, { flag: "wx" }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    },
  );
  const places = { ...spec, root: await realpath(spec.root), privateHome: await realpath(spec.privateHome) };
  if (spec.git === undefined) return places;
  await mkdir(spec.git.objectFolder, { recursive: true });
  const { commonDir, gitDir, objectFolder } = spec.git;
  return {
    ...places,
    git: {
      commonDir: await realpath(commonDir),
      gitDir: await realpath(gitDir),
      objectFolder: await realpath(objectFolder),
    },
  };
}
