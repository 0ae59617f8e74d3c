// The gate tries the same samples each time, so that it turns red for what was changed and not by chance. With
// COPPICE_TESTS=all they are others each time; what fails names its seed.

import fc from "fast-check";

import { isThorough } from "./thorough.ts";

if (!isThorough) fc.configureGlobal({ seed: 20_260_101 });
