// What is not in a change set, or had no say in its landing, and would be missed: told before and after the decision.

import type { ChangesPage } from "../../../shared/contract/pages.ts";

export function Remarks({ changes: { leftOut, landing } }: { readonly changes: ChangesPage }) {
  const hooks = landing?.hooks ?? [];
  return (
    <>
      {leftOut.length > 0 && (
        <section className="review-warn">
          <h2>Left out</h2>
          <p>
            Git cannot hold {leftOut.length === 1 ? "this as a file, so it does" : "these as files, so they do"} not
            land.
          </p>
          <Names names={leftOut} />
        </section>
      )}
      {hooks.length > 0 && (
        <section className="review-warn">
          <h2>Hooks did not run</h2>
          <p>Coppice runs no hooks, so these of yours had no say. Name what must pass as a check of the run.</p>
          <Names names={hooks} />
        </section>
      )}
    </>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className="code-lines">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  );
}
