// What is known of a model without asking its server: its price, its window.

import type { FoundModel } from "../../../shared/contract/care.ts";
import { usePage } from "../../client/Client.tsx";

/** `null`: no model is named, or nothing has arrived yet. */
export function useModelFacts(baseUrl: string, model: string): FoundModel | null {
  const { body } = usePage(model === "" ? null : { kind: "modelFacts", baseUrl, model });
  return body;
}
