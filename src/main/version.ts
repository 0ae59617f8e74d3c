// Which Coppice this is.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** As package.json has it; the file ships with the bundle. */
export function appVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
