// Version 2 of the file: runs can be pinned, and a payload knows by whom it is used. A released migration is never edited.

import type { Migration } from "../migrate.ts";

/** Without the index each payload that goes with a deleted run would cost a walk through all events. */
const retention = `
ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
CREATE INDEX events_by_payload ON events (payload_hash);
`;

export const migration002: Migration = { version: 2, sql: retention };
