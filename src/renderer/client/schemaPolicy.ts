// How every schema of the window checks: imported before any is made. Compiled validators need `new Function`, which the
// page's own policy forbids.

import { z } from "zod";

z.config({ jitless: true });
