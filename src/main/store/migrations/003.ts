// Version 3: what the store itself notes beside the events. Of a run, that it was imported, or that its journal is
// damaged; of a payload, that it was erased. None of it follows from events.

import type { Migration } from "../migrate.ts";

export const migration003: Migration = {
  version: 3,
  sql: `
ALTER TABLE runs ADD COLUMN imported_at INTEGER;
ALTER TABLE runs ADD COLUMN damage TEXT;
ALTER TABLE payloads ADD COLUMN erased_at INTEGER;
`,
};
