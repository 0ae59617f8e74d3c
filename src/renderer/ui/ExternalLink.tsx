// A link out of the workbench, where its address may be followed; otherwise its words, the address and why not. How an
// address is opened is the window's to say.

import { createContext, use } from "react";
import type { MouseEvent, ReactNode } from "react";

import { decoded, hidesHost, judgeLink } from "./linkTarget.ts";

/** Opens a web address outside. `null`: the browser that shows the page does. */
export const OpenLinkContext = createContext<((url: string) => void) | null>(null);

export interface ExternalLinkProps {
  readonly address: string;
  /** What the link says, as text; `children` is how it is drawn. */
  readonly text: string;
  readonly children: ReactNode;
}

export function ExternalLink({ address, text, children }: ExternalLinkProps) {
  const open = use(OpenLinkContext);
  const target = judgeLink(address);
  if (target.kind === "plain")
    return (
      <span className="no-link">
        {children}{" "}
        <span className="link-host">
          ({decoded(text) === decoded(target.address) ? "" : `${target.address}, `}
          {target.why})
        </span>
      </span>
    );
  function follow(event: MouseEvent): void {
    if (open === null || target.kind === "plain") return;
    event.preventDefault();
    open(target.url);
  }
  return (
    <>
      <a className="link" href={target.url} target="_blank" rel="noopener noreferrer" onClick={follow}>
        {children}
      </a>
      {hidesHost(text, target.host) && <span className="link-host"> ({target.host})</span>}
    </>
  );
}
