// Custom properties that components hand to the style sheets.

import "react";

declare module "react" {
  interface CSSProperties {
    /** Lanes of the timeline beside the lead's. */
    readonly "--lanes"?: number;
  }
}
