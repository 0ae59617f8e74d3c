// A page as of the moment that is shown. While the one of another moment is on its way, the one before stays.

import { useState } from "react";

import type { PageBodies, PageKind } from "../../../shared/contract/pages.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { usePage } from "../../client/Client.tsx";
import type { PageQuery } from "../../client/pages.ts";
import { useThrottled } from "../../ui/useThrottled.ts";

const refreshMs = 400;

/** `subject`: what the page is about; a page about something else is never shown for it. */
export function useHeldPage<K extends PageKind>(
  query: PageQuery<K> | null,
  version: number,
  subject: string,
): { readonly body: PageBodies[K] | null; readonly failure: Failure | null } {
  const { body, failure } = usePage(query, useThrottled(version, refreshMs));
  const [held, setHeld] = useState<{ readonly subject: string; readonly body: PageBodies[K] } | null>(null);
  if (body !== null && (held?.body !== body || held.subject !== subject)) setHeld({ subject, body });
  return { body: body ?? (held?.subject === subject ? held.body : null), failure };
}
