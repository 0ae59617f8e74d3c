// A command that is to be run, none of it hidden, with a button that copies it where the page may do that.

import { CopyButton } from "./CopyButton.tsx";
import { revealedText } from "./terminalText.ts";

export function CommandLine({ command }: { readonly command: string }) {
  return (
    <div className="command">
      <code>{revealedText(command)}</code>
      <CopyButton label={`command: ${revealedText(command)}`} text={() => command} />
    </div>
  );
}
