// A command to be run in a terminal, with a button that copies it where the page may do that.

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

/** How long "Copied" stays, in ms. */
const copiedMs = 2_000;

export function CommandLine({ command }: { readonly command: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  // Where there is no clipboard (plain HTTP from another machine) or it refuses, the text can still be selected.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const copy = () =>
    void clipboard?.writeText(command).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  return (
    <div className="command">
      <code>{command}</code>
      {clipboard !== undefined && (
        <button type="button" className="btn bare" onClick={copy} aria-label={isCopied ? "Copied" : `Copy: ${command}`}>
          {isCopied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
        </button>
      )}
    </div>
  );
}
