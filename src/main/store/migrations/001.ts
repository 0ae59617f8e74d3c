// Version 1 of the file: the whole schema. A released migration is never edited; a change is the next number.

import type { Migration } from "../migrate.ts";

/** The journal itself. `root` is the run that a stream belongs to (its own id for the lead's), `n` the ordinal in the merged journal, `seq` the place in the stream. */
const journal = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) STRICT;

CREATE TABLE boots (
  boot TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, host TEXT NOT NULL, at INTEGER NOT NULL,
  ended_at INTEGER, is_clean INTEGER
) STRICT;

CREATE TABLE runs (
  run TEXT PRIMARY KEY, root TEXT NOT NULL, agent TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('root', 'child')),
  repo TEXT, title TEXT, status TEXT, stop_reason TEXT, created_at INTEGER, updated_at INTEGER,
  count INTEGER NOT NULL DEFAULT 0, head_seq INTEGER NOT NULL DEFAULT 0, head_hash TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_root ON runs (root);

CREATE TABLE payloads (hash TEXT PRIMARY KEY, bytes TEXT) STRICT;

CREATE TABLE tombstones (root TEXT PRIMARY KEY, head_hash TEXT NOT NULL, at INTEGER NOT NULL) STRICT;

CREATE TABLE events (
  pos INTEGER PRIMARY KEY AUTOINCREMENT,
  root TEXT NOT NULL, n INTEGER NOT NULL, run TEXT NOT NULL REFERENCES runs (run), agent TEXT NOT NULL, seq INTEGER NOT NULL,
  type TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, epoch INTEGER NOT NULL, key TEXT, command TEXT,
  payload_hash TEXT NOT NULL REFERENCES payloads (hash), prev_hash TEXT NOT NULL, hash TEXT NOT NULL,
  UNIQUE (run, seq), UNIQUE (root, n)
) STRICT;
CREATE UNIQUE INDEX events_by_key ON events (run, key) WHERE key IS NOT NULL;
`;

/** INSERT OR REPLACE deletes without a word where recursive triggers are off, so the insertion itself looks for what it would replace. */
const guards = `
CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM tombstones WHERE root = OLD.root)
BEGIN SELECT RAISE(ABORT, 'events are deleted only for a run in tombstones'); END;

CREATE TRIGGER events_refuse_replace BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE pos = NEW.pos)
  OR EXISTS (SELECT 1 FROM events WHERE run = NEW.run AND seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM events WHERE root = NEW.root AND n = NEW.n)
  OR EXISTS (SELECT 1 FROM events WHERE run = NEW.run AND key = NEW.key)
BEGIN SELECT RAISE(ABORT, 'an event stands at this place already'); END;
`;

const coordination = `
CREATE TABLE leases (
  run TEXT PRIMARY KEY REFERENCES runs (run), owner TEXT REFERENCES boots (boot), epoch INTEGER NOT NULL,
  acquired_at INTEGER NOT NULL, renewed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX leases_by_owner ON leases (owner) WHERE owner IS NOT NULL;

CREATE TABLE requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL REFERENCES runs (run), kind TEXT NOT NULL, body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'taken', 'withdrawn')),
  answer TEXT, created_at INTEGER NOT NULL, decided_at INTEGER
) STRICT;
CREATE INDEX requests_open ON requests (run, id) WHERE state = 'open';
`;

/** Rows that follow from events alone. `run` is the root's id. Columns beside the keys stay nullable: a change names only what it knows. */
const projections = `
CREATE TABLE handoffs (
  run TEXT NOT NULL, subagent TEXT NOT NULL, child_run TEXT, role TEXT, key TEXT, contract_hash TEXT,
  status TEXT, code TEXT, settled_status TEXT, PRIMARY KEY (run, subagent)
) STRICT;

CREATE TABLE budgets (
  run TEXT NOT NULL, owner TEXT NOT NULL, balance TEXT NOT NULL, limit_value INTEGER, used INTEGER, reserved INTEGER
  CHECK (reserved >= 0), PRIMARY KEY (run, owner, balance)
) STRICT;

CREATE TABLE effects (
  run TEXT NOT NULL, call TEXT NOT NULL, agent TEXT, tool TEXT, effect TEXT, class TEXT, status TEXT, outcome TEXT,
  PRIMARY KEY (run, call)
) STRICT;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY, run TEXT, kind TEXT, agent TEXT, summary TEXT, status TEXT, decision TEXT,
  requested_at INTEGER, decided_at INTEGER
) STRICT;
CREATE INDEX approvals_open ON approvals (run) WHERE status = 'open';

CREATE TABLE evidence (
  run TEXT NOT NULL, agent TEXT NOT NULL, idx INTEGER NOT NULL, source TEXT, mark TEXT, PRIMARY KEY (run, agent, idx)
) STRICT;

CREATE TABLE changesets (
  id TEXT PRIMARY KEY, run TEXT, agent TEXT, base TEXT, commit_oid TEXT, tree TEXT, ref TEXT, status TEXT, hunks INTEGER
) STRICT;

CREATE TABLE landings (
  id TEXT PRIMARY KEY, run TEXT, changeset TEXT, target TEXT, old_oid TEXT, new_oid TEXT, tree TEXT, status TEXT
) STRICT;

CREATE TABLE worktrees (path TEXT PRIMARY KEY, run TEXT, agent TEXT, root TEXT, status TEXT, pin_ref TEXT) STRICT;
`;

export const migration001: Migration = { version: 1, sql: journal + guards + coordination + projections };
