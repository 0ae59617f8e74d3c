// Says so when what is shown may no longer be so, since when, and what happens next.

import { useConnection, useReconnect } from "../client/Client.tsx";
import { Mark } from "../ui/Mark.tsx";
import { formatTime } from "../ui/formats.ts";
import { useNow } from "../ui/useNow.ts";

export function ConnectionBanner() {
  const connection = useConnection();
  // The live region stays in the page, so that what appears in it is spoken.
  return (
    <div className="banner-place" role="status">
      {connection.kind === "lost" && (
        <div className="banner">
          <Mark shape="failed" word="Connection lost" />
          <span className="banner-text">What you see is as of {formatTime(connection.since)}.</span>
          <RetryIn at={connection.retryAt} />
        </div>
      )}
      {connection.kind === "ended" && (
        <div className="banner">
          <Mark shape="stopped" word="This session is over" />
          <span className="banner-text">
            The program behind this page was started anew. Open the URL that <code>coppice serve</code> printed then.
          </span>
        </div>
      )}
    </div>
  );
}

function RetryIn({ at }: { readonly at: number }) {
  const now = useNow(1_000);
  const reconnect = useReconnect();
  const seconds = Math.max(0, Math.ceil((at - now) / 1_000));
  return (
    <>
      <span className="faint fig" aria-hidden="true">
        {seconds > 0 ? `Trying again in ${seconds} s` : "Trying…"}
      </span>
      <button type="button" className="btn" onClick={reconnect}>
        Try now
      </button>
    </>
  );
}
