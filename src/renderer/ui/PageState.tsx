// What stands in place of a page that is not there: a skeleton, or why it could not be read. The latter also above one that is.

import type { Failure } from "../../shared/lib/result.ts";
import { Notice } from "./Notice.tsx";
import { Skeleton } from "./Skeleton.tsx";

interface PageStateProps {
  /** An earlier answer is shown: there is nothing to wait for, and a failure stands above it. */
  readonly isThere?: boolean;
  readonly failure: Failure | null;
  /** Said of it while it comes, such as `The packet is being read`. */
  readonly reading: string;
  /** Said of it where it could not be had, such as `The packet could not be read`. */
  readonly lost: string;
  readonly lines?: number;
}

export function PageState({ isThere = false, failure, reading, lost, lines = 5 }: PageStateProps) {
  if (isThere && failure === null) return null;
  return failure === null ? (
    <Skeleton lines={lines} label={reading} />
  ) : (
    <Notice title={lost} message={failure.message} code={failure.code} />
  );
}
