// Version 5: the options that a standing run was given anew are found without reading its whole stream: other processes
// ask for its server and its model each time that they look who is at work.

import type { Migration } from "../migrate.ts";

export const migration005: Migration = {
  version: 5,
  sql: `
CREATE INDEX events_with_options ON events (run, seq) WHERE type = 'options.set';
`,
};
