// Defects that the rig must find: each is planted in one source of a build of its own, and the part named here has to turn red.

import type { Part } from "./round.ts";
import { fullDisk } from "./fullDisk.ts";
import { merging } from "./merging.ts";
import { powerCut } from "./powerCut.ts";
import { races } from "./races.ts";
import type { Mutation } from "./seamBuild.ts";
import { recovery } from "./recovery.ts";
import { story } from "./untouched.ts";
import { writes } from "./writes.ts";

export interface Planted {
  readonly name: string;
  readonly mutation: Mutation;
  /** The part that bites. */
  readonly part: Part;
  /** Few rounds meet it: it takes those of the full form. */
  readonly isRare?: true;
}

export const planted: readonly Planted[] = [
  {
    name: "the journal does not wait for the disk (synchronous NORMAL)",
    mutation: {
      file: "src/main/store/openDatabase.ts",
      from: 'db.pragma("synchronous = FULL");',
      to: 'db.pragma("synchronous = NORMAL");',
    },
    part: story,
  },
  {
    name: "the journal does not wait for the disk, and says that it does",
    mutation: {
      file: "src/main/store/openDatabase.ts",
      from: 'const synchronous = Number(db.pragma("synchronous", { simple: true }));',
      to: 'db.pragma("synchronous = NORMAL"); const synchronous = full;',
    },
    part: powerCut,
  },
  {
    name: "an edit gets its name before its content lasts",
    mutation: {
      file: "src/main/agents/tools/editWrite.ts",
      from: "await handle.sync();\n    return temp;",
      to: "return temp;",
    },
    part: powerCut,
  },
  {
    name: "a step of a migration is not one transaction",
    mutation: {
      file: "src/main/store/migrate.ts",
      from: "db.exec(step.sql);",
      to: 'db.exec("COMMIT"); db.exec(step.sql); db.exec("BEGIN IMMEDIATE");',
    },
    part: writes,
    isRare: true,
  },
  {
    name: "outcomes are merged in the order in which they arrived",
    mutation: {
      file: "src/main/domain/merge.ts",
      from: "return outcomes.toSorted(compareOutcomes);",
      to: "return [...outcomes];",
    },
    part: merging,
  },
  {
    name: "a request is charged only when its answer comes",
    mutation: {
      file: "src/main/domain/evolutions/agent.ts",
      from: "return request ? chargeAgent(next, agent, request.estimate) : next;",
      to: "return next;",
    },
    part: recovery,
  },
  {
    name: "a call that was under way is carried out again",
    mutation: {
      file: "src/main/engine/recovery.ts",
      from: 'agent.calls.filter((call) => call.status === "dispatched")',
      to: "agent.calls.filter(() => false)",
    },
    part: recovery,
  },
  {
    name: "a refused spawn leaves no event",
    mutation: {
      file: "src/main/domain/decisions/control.ts",
      from: '{ agent: "lead", type: "handoff.refused", data: { code, sentence, task: input.task, call } },',
      to: "",
    },
    part: story,
  },
  {
    name: "a lease is deleted when it is given back",
    mutation: {
      file: "src/main/store/leases.ts",
      from: '"UPDATE leases SET owner = NULL WHERE owner = ? AND run IN (SELECT run FROM runs WHERE root = ?)"',
      to: '"DELETE FROM leases WHERE owner = ? AND run IN (SELECT run FROM runs WHERE root = ?)"',
    },
    part: races,
  },
  {
    name: "an append is taken from whoever had the lease once",
    mutation: {
      file: "src/main/store/streams.ts",
      from: "if (row?.owner === boot && row.epoch === epoch) return",
      to: "if (row) return",
    },
    part: races,
  },
  {
    name: "a journal that could not be written is taken for written",
    mutation: {
      file: "src/main/store/openStore.ts",
      from: 'else if (result.error.code === "STALE_LEASE") void keeper.renewNow();',
      to: 'else if (result.error.code === "STORE_UNAVAILABLE") return { ok: true, value: [] };',
    },
    part: fullDisk,
    isRare: true,
  },
];
