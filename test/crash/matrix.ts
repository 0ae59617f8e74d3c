// The rows of the fault matrix: what happens, which tests hold it besides the parts of the rig, and what is not held. The
// document is made of it; a row that claims a test which does not exist fails.

export interface MatrixRow {
  readonly id: string;
  readonly what: string;
  /** Test files, from the project's root. */
  readonly tests: readonly string[];
  /** What of the row is not held, with the reason. */
  readonly open?: string;
}

const crash = "test/engine/crash.integration.test.ts";
const runs = "src/main/domain/run.property.test.ts";
const effects = "src/main/domain/decisions/effect.test.ts";
const leases = "src/main/store/leases.integration.test.ts";
const journal = "src/main/store/eventStore.integration.test.ts";

const store: readonly MatrixRow[] = [
  { id: "A1", what: "death before the transaction begins", tests: [] },
  {
    id: "A2",
    what: "death after the fence, before the insertion",
    tests: ["src/main/store/crash.integration.test.ts"],
  },
  {
    id: "A3",
    what: "death after the insertion, before the projections",
    tests: ["src/main/store/crash.integration.test.ts"],
  },
  {
    id: "A4",
    what: "death after the commit, before the acknowledgement",
    tests: ["src/main/store/crash.integration.test.ts"],
  },
  { id: "A5", what: "death in a group commit", tests: ["src/main/store/eventStore.property.test.ts"] },
  { id: "A6", what: "one stale request in a group", tests: [journal] },
  { id: "A7", what: "death in a checkpoint", tests: [] },
  {
    id: "A8",
    what: "trail events are buffered",
    tests: ["src/main/store/openStore.integration.test.ts"],
    open: "the engine writes barriers only, so that no tail can be lost",
  },
  {
    id: "A9",
    what: "synchronous is read back on every connection",
    tests: ["src/main/store/openDatabase.integration.test.ts"],
  },
  { id: "A10", what: "power cut", tests: [] },
  { id: "A11", what: "full disk", tests: [] },
  { id: "A12", what: "errors of reads, writes and syncs, read-only remount", tests: [] },
  { id: "A13", what: "a flipped byte", tests: ["src/main/store/chainCheck.integration.test.ts"] },
  { id: "A14", what: "the log beside the journal is cut", tests: [] },
  {
    id: "A15",
    what: "death or a full disk in a migration",
    tests: ["src/main/store/openDatabase.integration.test.ts"],
  },
  { id: "A16", what: "a newer file", tests: ["src/main/store/openDatabase.integration.test.ts"] },
  { id: "A17", what: "a backup of a damaged store", tests: ["src/main/store/backup.integration.test.ts"] },
  { id: "A18", what: "death between a payload and its event", tests: ["src/main/store/retention.integration.test.ts"] },
  {
    id: "A19",
    what: "each process is killed",
    tests: ["test/cli/kill.integration.test.ts", "src/main/store/thread.integration.test.ts", "e2e/desktop.spec.ts"],
    open: "engine and main are one process and die together; of the window, its page dies",
  },
  { id: "A20", what: "a page that runs out of memory on a run of 50,000 events", tests: [] },
  {
    id: "A21",
    what: "UPDATE, DELETE, INSERT OR REPLACE on events",
    tests: ["src/main/store/eventsTable.integration.test.ts"],
  },
  { id: "A22", what: "network or synced folder", tests: ["src/main/store/folder.test.ts"] },
];

const instances: readonly MatrixRow[] = [
  { id: "L1", what: "two take a lease at once", tests: [leases] },
  {
    id: "L2",
    what: "a holder is stopped, passed over, and goes on",
    tests: [leases, "src/main/store/leaseKeeper.test.ts", "src/main/engine/fence.test.ts"],
    open: "an act of several steps that is stopped in its middle ends when it wakes: on refs by compare-and-swap only, and in scratch folders, which gc removes",
  },
  { id: "L3", what: "a holder is frozen in a transaction", tests: [] },
  { id: "L4", what: "death right after a lease was taken", tests: [] },
  { id: "L5", what: "release and take again", tests: [leases] },
  {
    id: "L6",
    what: "the clock jumps",
    tests: ["src/main/domain/autoResume.test.ts"],
    open: "no machine is put to sleep; to a process, a sleep is the jump forward that is tried, with the monotonic clock standing still",
  },
  { id: "L7", what: "a pid is used again by another process", tests: [leases] },
  { id: "L8", what: "a second instance on the same folder", tests: ["test/cli/elsewhere.integration.test.ts"] },
  {
    id: "L9",
    what: "a child of a dead holder goes on writing",
    tests: ["src/main/sandbox/command.integration.test.ts"],
  },
  { id: "L10", what: "the holder's renewals starve", tests: ["src/main/store/leaseKeeper.test.ts"] },
  { id: "L11", what: "the lease is lost while children run", tests: [leases] },
];

const tools: readonly MatrixRow[] = [
  { id: "T1", what: "death before a request", tests: [] },
  { id: "T2", what: "death in a request", tests: [crash] },
  { id: "T3", what: "death after a turn with calls", tests: [crash] },
  { id: "T4", what: "death between refusals and dispatches of a batch", tests: [] },
  { id: "T5", what: "a person answers after a restart", tests: ["test/cli/decisions.integration.test.ts"] },
  { id: "T6", what: "an approval and its dispatch", tests: [effects] },
  { id: "T7", what: "death between dispatch and effect", tests: [crash, effects] },
  {
    id: "T8",
    what: "death in the middle of an effect",
    tests: ["src/main/agents/tools/editWrite.integration.test.ts"],
  },
  { id: "T9", what: "death between effect and settlement", tests: [crash] },
  { id: "T10", what: "death after a settlement", tests: [] },
  { id: "T11", what: "the verifier finds a third state", tests: [crash] },
  { id: "T12", what: "not applied, then death before it is done anew", tests: [effects] },
  { id: "T13", what: "death while a question is being asked", tests: [crash] },
  { id: "T14", what: "a grandchild outlives its command", tests: ["src/main/sandbox/command.integration.test.ts"] },
  { id: "T15", what: "a person edits between effect and recovery", tests: [crash] },
  {
    id: "T16",
    what: "huge, binary or secret output",
    tests: ["src/main/agents/redact.property.test.ts", "test/engine/secrets.integration.test.ts"],
  },
  {
    id: "T17",
    what: "a tool outside the role, a path outside the root",
    tests: ["test/engine/roles.integration.test.ts", "test/engine/hostile.integration.test.ts"],
  },
  { id: "T18", what: "a check has passed, death before its record", tests: [crash] },
];

const trees: readonly MatrixRow[] = [
  { id: "H1", what: "death around the record of a handoff", tests: [crash] },
  { id: "H2", what: "recorded and never begun", tests: [] },
  { id: "H3", what: "a child dies at each point", tests: [] },
  { id: "H4", what: "a child has stopped, its parent has not settled it", tests: [crash] },
  { id: "H5", what: "some children have ended, some run", tests: [] },
  { id: "H6", what: "settled, not merged", tests: [] },
  { id: "H7", what: "a child waits for a person over a restart", tests: ["test/cli/decisions.integration.test.ts"] },
  { id: "H8", what: "cancelled in an effect", tests: ["test/engine/endings.integration.test.ts", effects] },
  {
    id: "H9",
    what: "one key, another packet",
    tests: [journal, "src/main/domain/decisions/spawn.test.ts"],
  },
  {
    id: "H10",
    what: "a step is planned anew while its child runs",
    tests: ["src/main/domain/decisions/plan.test.ts"],
    open: "a new attempt has a key of its own; that the one before is superseded is said by the lead alone, with replaces",
  },
  { id: "H11", what: "slices over the limit", tests: ["src/main/domain/decisions/spawn.test.ts", runs] },
  { id: "H12", what: "a reservation against two admissions", tests: [journal] },
  { id: "H13", what: "the cost is unknown", tests: ["src/main/domain/decisions/run.test.ts"] },
  { id: "H14", what: "a child wants to delegate", tests: ["src/main/domain/decisions/control.test.ts"] },
  { id: "H15", what: "requests are lost until the slice ends", tests: [runs] },
  {
    id: "M1",
    what: "every order of outcomes, in two locales and time zones",
    tests: ["src/main/domain/merge.property.test.ts"],
  },
  { id: "M2", what: "death around a landing", tests: [crash] },
  { id: "M3", what: "somebody moves the target", tests: [crash] },
  {
    id: "M4",
    what: "conflicts of every class",
    tests: [
      "src/main/domain/decisions/reconcile.test.ts",
      "test/engine/reconcile.integration.test.ts",
      "src/main/git/conflicts.integration.test.ts",
      "test/engine/landingChecks.integration.test.ts",
    ],
  },
  { id: "M5", what: "verdicts on different trees", tests: ["src/main/domain/decisions/reconcile.test.ts"] },
  {
    id: "M6",
    what: "death in the making of a worktree, stale locks",
    tests: ["src/main/git/worktrees.integration.test.ts", "src/main/git/worktreeList.integration.test.ts"],
  },
  {
    id: "M7",
    what: "full disk during a checkout",
    tests: [],
  },
];

const history: readonly MatrixRow[] = [
  { id: "R1", what: "a fold from anywhere is the same", tests: [runs] },
  {
    id: "R2",
    what: "a damaged or missing snapshot",
    tests: [],
    open: "no snapshots are stored: a run is folded from its journal",
  },
  {
    id: "R3",
    what: "golden histories of each release on today's rules",
    tests: ["test/histories/histories.integration.test.ts", "src/main/domain/redecide/redecide.test.ts"],
  },
  { id: "R4", what: "a replay with writes and network trapped", tests: ["test/engine/replay.integration.test.ts"] },
  { id: "R5", what: "death in the deletion of a run", tests: ["src/main/store/retention.integration.test.ts"] },
  { id: "R6", what: "an erased payload", tests: ["src/main/care/doctor.integration.test.ts"] },
  {
    id: "R7",
    what: "export and import",
    tests: ["src/main/care/archive.integration.test.ts", "src/main/git/bundle.integration.test.ts"],
    open: "between data folders of one system, never from one system to another",
  },
  { id: "R8", what: "recovery dies eight times in a row", tests: [] },
];

export const matrix: readonly MatrixRow[] = [...store, ...instances, ...tools, ...trees, ...history];
