// What stands in a tab while its page is not there: a skeleton, or why it could not be read.

import type { Failure } from "../../../shared/lib/result.ts";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

export function PageState({ what, failure }: { readonly what: string; readonly failure: Failure | null }) {
  return failure === null ? (
    <Skeleton lines={5} label={`The ${what} is being read`} />
  ) : (
    <Notice title={`The ${what} could not be read`} message={failure.message} code={failure.code} />
  );
}
