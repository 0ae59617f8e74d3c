// Colours and motion as a person has set them, on the page's root, where the tokens read them.

import { useEffect } from "react";

import type { Settings } from "../../shared/contract/settings.ts";

export function useAppearance(appearance: Settings["appearance"] | undefined): void {
  const theme = appearance?.theme ?? "system";
  const motion = appearance?.motion ?? "system";
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset["theme"] = theme;
    dataset["motion"] = motion;
  }, [theme, motion]);
}
