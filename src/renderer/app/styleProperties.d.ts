// Custom properties that components hand to the style sheets.

import "react";

declare module "react" {
  interface CSSProperties {
    /** Lanes of the timeline beside the lead's. */
    readonly "--lanes"?: number;
    /** Width of a line number in a diff, with its unit. */
    readonly "--number"?: string;
  }
}
