// How far long work on the data folder has come, wherever it was begun. Lies beside the features, as `Spoken` does.

import { type LongWork, progressWords } from "../../shared/contract/progress.ts";
import { useTopic } from "../client/Client.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";

export interface WorkUnderWayProps {
  readonly work: LongWork;
  /** What is done, for those who hear it. */
  readonly label: string;
}

/** Nothing before the amount is known. */
export function WorkUnderWay({ work, label }: WorkUnderWayProps) {
  const { snapshot } = useTopic("progress");
  const progress = snapshot?.works.findLast((one) => one.work === work);
  if (progress === undefined) return null;
  const { done, total } = progress;
  return <ProgressBar label={label} done={done} total={total} words={progressWords(progress)} />;
}
