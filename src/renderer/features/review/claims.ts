// What a result claims, each beside what of it was observed. Only what can be compared is compared. Pure.

import type { ResultPage } from "../../../shared/contract/pages.ts";

export interface Claim {
  readonly claimed: string;
  readonly observed: string;
  /** `open`: nothing that was observed can tell. */
  readonly holds: "yes" | "no" | "open";
}

const verifications = {
  passed: ["the checks passed", "yes"],
  failed: ["the checks failed", "no"],
  "not-run": ["no check ran", "open"],
  skipped: ["the checks were skipped", "open"],
} as const;

const evidenceMarks = {
  found: ["found there", "yes"],
  "not found": ["not found there", "no"],
  "not checkable": ["no check can tell", "open"],
} as const;

const maxRows = 30;

export function claimsOf({ said, evidence, observed }: ResultPage): readonly Claim[] {
  if (said === null) return [];
  const [word, holds] = verifications[observed.verification];
  const claims: Claim[] = [
    {
      claimed: `It is ${said.status.replaceAll("_", " ")}`,
      observed: word,
      holds: said.status === "done" ? holds : "open",
    },
    ...said.verdicts.map(({ criterion, verdict, evidence }): Claim => ({
      claimed: `${criterion}: ${verdict}`,
      observed: evidence === "" ? "no evidence given" : `says: ${evidence}`,
      holds: "open",
    })),
    ...evidence.map(({ source, line, quote, mark }): Claim => {
      const [observed, holds] = evidenceMarks[mark];
      // Some give the line with the file, and once more beside it.
      const where = line === undefined || source.endsWith(`:${line}`) ? source : `${source}:${line}`;
      return { claimed: quote === undefined ? where : `${where} “${quote}”`, observed, holds };
    }),
  ];
  if (said.schema !== "ok")
    claims.push({ claimed: "Its result", observed: `not in the agreed form (${said.schema})`, holds: "no" });
  return claims.slice(0, maxRows);
}
