// SIGKILL of git in the middle of its work, and of whoever had it started with it: at each of its calls that changes something
// on the disk. A `git` that stands before the real one on PATH notes those calls, and aims at one of them.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Desk } from "../support/commandLine.ts";
import type { PrintedEvent } from "../support/commandProcess.ts";
import { type Bench, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";
import { canTrace } from "./trace.ts";

/** What changes something on the disk, or gives it its name. */
const writing = "mkdir,mkdirat,write,pwrite64,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir";
/** How many git calls of one story die, each with the process that made it. */
const longestChain = 6;

/** One writing call of a git that the story starts. */
interface Aim {
  /** Its words, with what differs from run to run left out. */
  readonly words: string;
  readonly call: string;
  /** The how manyth of this name. */
  readonly nth: number;
}

/** What the short form is content with: the lock of the branch is taken, and not yet written. */
const atLanding: Aim = {
  words: "update-ref --stdin -z --no-deref -m coppice: land subagent-2.1 of RUN",
  call: "write",
  nth: 1,
};

export const gitDeaths: Part = { name: "Deaths in git", rows: ["M2", "M6"], run: runGitDeaths };

async function runGitDeaths(bench: Bench): Promise<Report> {
  if (!(await canTrace())) return { rounds: 0, figures: "not here: it takes strace to aim at a call", faults: [] };
  const aims = bench.isShort ? [atLanding] : await findAims(bench);
  const died = new Set<Aim>();
  const chains = chainsOf(aims, longestChain);
  const turned = [...chains.slice(bench.seed % chains.length), ...chains.slice(0, bench.seed % chains.length)];
  const { done, faults } = await inTurn(
    bench,
    turned.map((chain) => () => dieInGit(bench, chain, died)),
  );
  const commandsOf = (some: Iterable<Aim>) => [...new Set(Array.from(some, ({ words }) => words.split(" ")[0] ?? ""))];
  return {
    rounds: done,
    figures: `${died.size} deaths, each in another of ${aims.length} calls by which ${commandsOf(aims).length} commands of git write: ${commandsOf(died).join(", ")}`,
    faults: [...faults, ...(died.size > 0 ? [] : ["no git died"])],
  };
}

/** Those of one chain lie far apart in the story, so that each is still to come when the one before has been met. */
function chainsOf(aims: readonly Aim[], length: number): readonly (readonly Aim[])[] {
  const count = Math.ceil(aims.length / length);
  return Array.from({ length: count }, (_, first) => aims.filter((_aim, index) => index % count === first));
}

/** One story. Each process dies in the next of these calls that its gits make; then it goes on to the end. */
async function dieInGit(bench: Bench, chain: readonly Aim[], died: Set<Aim>): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  const printed: PrintedEvent[] = [];
  const where: string[] = [];
  let run: string | undefined;
  for (const aim of [...chain, null]) {
    const args = run === undefined ? beginArgs(desk) : ["resume", run, "--json"];
    const ended = await desk.coppice(args, { cli, ...(aim === null ? {} : { env: standBefore(desk, dying(aim)) }) });
    printed.push(...wholeLines(ended.stdout));
    run ??= printed[0]?.root;
    if (ended.signal === "SIGKILL" && aim !== null && run !== undefined) {
      died.add(aim);
      where.push(`${aim.call} ${aim.nth} of git ${aim.words}`);
      continue;
    }
    const faults = await faultsOf(desk, run ?? "", printed, ended);
    return faults.map((fault) => `killed in ${where.join(", then ")}: ${fault}`);
  }
  return [`killed in ${where.join(", then ")}, and once more by nobody`];
}

/** The writing calls of the gits of a whole story, in order, each once. */
async function findAims(bench: Bench): Promise<readonly Aim[]> {
  await using desk = await bench.openDesk();
  const ended = await desk.coppice(beginArgs(desk), { cli: bench.build.cli, env: standBefore(desk, noting) });
  if (ended.code !== 0) throw new Error(`The story does not end where its git is traced: ${ended.stderr}`);
  const aims = new Map<string, Aim>();
  for (const line of readFileSync(join(desk.repository.outside, "git-calls"), "utf8").trim().split("\n")) {
    const [words = "", ...calls] = line.split("\t");
    const counts = new Map<string, number>();
    for (const text of calls) {
      const [, call = "", to] = /^(\w+)\((\d*)/.exec(text) ?? [];
      const nth = (counts.get(call) ?? 0) + 1;
      counts.set(call, nth);
      // Standard output and error are nothing on the disk.
      if (call !== "" && !(call === "write" && (to === "1" || to === "2")))
        aims.set(`${words} ${call} ${nth}`, { words, call, nth });
    }
  }
  return [...aims.values()];
}

/** Puts a `git` before the real one, whose lines know it as `$words`; answers with the environment in which it is found. */
function standBefore(
  { repository: { outside } }: Desk,
  lines: (outside: string) => readonly string[],
): { readonly PATH: string } {
  const bin = join(outside, "bin");
  const path = process.env["PATH"] ?? "";
  mkdirSync(bin, { recursive: true });
  const script = [
    "#!/bin/sh",
    `PATH='${path}'`,
    `words=$(printf '%s ' "$@" | tr '\\n\\t' '  ' | sed -E '${anonymous.join("; ")}')`,
    ...lines(outside),
  ];
  writeFileSync(join(bin, "git"), `${script.join("\n")}\n`);
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}:${path}` };
}

/** Leaves out the settings before the command, object names, paths and names of runs. */
const anonymous = [
  "s/-c [^ ]+ //g",
  "s/[0-9a-f]{40}/OID/g",
  "s# /[^ ]*# PATH#g",
  "s#(worktrees|refs/coppice)/[^ /]+#\\1/NAME#g",
  "s/ of [a-z0-9]+ / of RUN /",
  "s/ +$//",
];

const noting = (outside: string): readonly string[] => [
  `notes='${outside}'/notes-$$`,
  `strace -qq -e trace=${writing} -e signal=none -o "$notes" git "$@"; code=$?`,
  `{ printf '%s' "$words"; grep -oE '^[a-z0-9]+\\([0-9]*' "$notes" | while read -r call; do printf '\\t%s' "$call"; done; echo; } >> '${outside}'/git-calls`,
  "exit $code",
];

/** The first git of these words dies, and with it, the fork server's parent, who had it started. */
const dying =
  ({ words, call, nth }: Aim) =>
  (): readonly string[] => [
    `if [ "$words" != ${quoted(words)} ]; then exec git "$@"; fi`,
    `strace -qq -o /dev/null -e trace=${call} -e inject=${call}:signal=KILL:when=${nth} git "$@"; code=$?`,
    "if [ $code = 137 ]; then kill -KILL $(ps -o ppid= -p $PPID); fi",
    "exit $code",
  ];

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
