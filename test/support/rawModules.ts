// Lets Node load what only the bundler knows: a file imported as text (`?raw`). Imported before anything of the sources.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  load(url, context, next) {
    if (!url.endsWith("?raw")) return next(url, context);
    const text = readFileSync(fileURLToPath(url.slice(0, -"?raw".length)), "utf8");
    return { format: "module", source: `export default ${JSON.stringify(text)};`, shortCircuit: true };
  },
});
