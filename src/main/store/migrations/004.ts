// Version 4: the file itself refuses a reservation beyond a run's limit, event by event, whatever a decision has let through.
// Use that was reported late may pass the limit: what has happened is always recorded.

import type { Migration } from "../migrate.ts";

export const migration004: Migration = {
  version: 4,
  sql: `
CREATE TRIGGER budgets_refuse_overdraft BEFORE UPDATE ON budgets
WHEN NEW.limit_value IS NOT NULL AND NEW.reserved > OLD.reserved AND NEW.used + NEW.reserved > NEW.limit_value
BEGIN SELECT RAISE(ABORT, 'reserved beyond the limit of the budget'); END;
`,
};
