// For a run that is only decided about here: it makes no request, so it needs no server.

import type { ModelPort } from "../engine/ports/model.ts";

export const noModel: ModelPort = {
  complete: () =>
    Promise.resolve({
      kind: "failed",
      code: "NO_MODEL",
      message: "No model is connected here.",
      retryable: false,
      retryAfterMs: null,
      text: "",
    }),
};
