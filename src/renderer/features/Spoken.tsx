// What is said of something that was done by `useCare`. Lies beside the features, as that does.

import type { LongWork } from "../../shared/contract/progress.ts";
import { Ticked } from "../ui/Ticked.tsx";
import { WorkUnderWay } from "./WorkUnderWay.tsx";
import type { Said } from "./useCare.ts";

/** Why it could not be done; nothing while it can. For what is seen to be done without a word. */
export function NotDone({ said }: { readonly said: Said }) {
  return typeof said === "object" && said?.isBad === true ? (
    <p role="alert" className="bad">
      {said.text}
    </p>
  ) : null;
}

export interface SpokenProps {
  readonly said: Said;
  readonly busy: string;
  /** May mark code by backticks. */
  readonly rest: string;
  /** What is under way meanwhile, where that can be counted. */
  readonly work?: LongWork;
}

/** What is being done, what came of it, or what it would do. */
export function Spoken({ said, busy, rest, work }: SpokenProps) {
  return (
    <>
      <p role="status" className={typeof said === "object" && said?.isBad === true ? "bad" : "quiet"}>
        {said === "busy" ? busy : said === null ? <Ticked text={rest} /> : said.text}
      </p>
      {said === "busy" && work !== undefined && <WorkUnderWay work={work} label={busy} />}
    </>
  );
}
