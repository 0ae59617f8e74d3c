// A tool context over a temp folder, for tests only. Ports answer nothing unless a test gives them a method.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Oid } from "../../../shared/contract/ids.ts";
import type { CommandPort } from "../../engine/ports/command.ts";
import type { GitPort } from "../../engine/ports/git.ts";
import type { ToolContext } from "./tool.ts";

/** A port of which only the given methods may be called; any other one throws by name. */
export function partialPort<Port extends object>(methods: Partial<Port>): Port {
  return new Proxy(methods as Port, {
    get(target, name, receiver): unknown {
      if (!Reflect.has(target, name)) throw new Error(`This test's port has no ${String(name)}`);
      return Reflect.get(target, name, receiver);
    },
  });
}

/** A context whose root is `root`; `changes` replaces parts of it. */
export function contextAt(root: string, changes: Partial<ToolContext> = {}): ToolContext {
  const oid = "a".repeat(40) as Oid;
  return {
    agent: "subagent-1",
    place: { kind: "worktree", path: root, root: oid, gitDir: null },
    repo: { topLevel: "/user/checkout", commonDir: "/user/checkout/.git", rootCommit: oid },
    git: partialPort<GitPort>({}),
    commands: partialPort<CommandPort>({}),
    claim: null,
    seen: new Map(),
    network: "off",
    privateHome: "/run/home",
    objectFolder: "/run/objects",
    hidden: ["/user/checkout"],
    tag: "run-1",
    findChangeSet: () => null,
    signal: new AbortController().signal,
    isHeld: () => true,
    onOutput: () => undefined,
    ...changes,
  };
}

/** A fresh folder below the system's temp folder, and what removes it. */
export async function makeTempFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "coppice-tools-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
