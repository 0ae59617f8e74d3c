// A button that copies a text, where the page may do that. It says so when it has.

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

/** How long "Copied" stays, in ms. */
const copiedMs = 2_000;

export interface CopyButtonProps {
  /** What is copied, in words. */
  readonly label: string;
  readonly text: () => string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  // Where there is no clipboard (plain HTTP from another machine) or it refuses, the text can still be selected.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return null;
  const copy = () =>
    void clipboard.writeText(text()).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  const words = isCopied ? "Copied" : `Copy ${label}`;
  return (
    <button type="button" className="btn bare copy" onClick={copy} aria-label={words} title={words}>
      {isCopied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
    </button>
  );
}
