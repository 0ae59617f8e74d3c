// A command to be run in a terminal, with a button that copies it where the page may do that.

import { CopyButton } from "./CopyButton.tsx";

export function CommandLine({ command }: { readonly command: string }) {
  return (
    <div className="command">
      <code>{command}</code>
      <CopyButton label={`command: ${command}`} text={() => command} />
    </div>
  );
}
