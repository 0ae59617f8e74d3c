// How links that lead out of the workbench are opened: by the machine that the application runs on where it can, as in a
// window of its own, else by the browser that shows the page.

import { useMemo } from "react";
import type { ReactNode } from "react";

import { useCallHost, useHost } from "../client/Client.tsx";
import { OpenLinkContext } from "../ui/ExternalLink.tsx";

export function LinkOpener({ children }: { readonly children: ReactNode }) {
  const callHost = useCallHost();
  const canOpen = useHost()?.can.includes("openExternal") === true;
  const open = useMemo(
    () => (canOpen ? (url: string) => void callHost({ kind: "openExternal", url }) : null),
    [canOpen, callHost],
  );
  return <OpenLinkContext value={open}>{children}</OpenLinkContext>;
}
