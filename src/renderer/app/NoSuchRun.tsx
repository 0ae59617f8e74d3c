// What stands where a run would be that is not in this store: after a link of elsewhere, or of before it was deleted.

import type { RunId } from "../../shared/contract/ids.ts";
import { fresh } from "./place.ts";
import type { Go } from "./usePlace.ts";

export function NoSuchRun({ run, go }: { readonly run: RunId; readonly go: Go }) {
  return (
    <main className="middle" data-region="run" tabIndex={-1}>
      <section className="empty" role="alert" aria-labelledby="no-run-title">
        <h1 id="no-run-title">No such run</h1>
        <p className="quiet">
          There is no run <code>{run}</code> in this data folder. It was deleted, or the link leads to one that is
          elsewhere.
        </p>
        <div className="dialog-acts">
          <button type="button" className="btn main large" onClick={() => go({ ...fresh, run: null }, "push")}>
            Show the runs
          </button>
          <button type="button" className="btn large" onClick={() => go({ ...fresh, view: "search" }, "push")}>
            Search everything
          </button>
        </div>
      </section>
    </main>
  );
}
