// Several model servers as one: each request goes to the server of its model, and to no other.

import type { ModelPort } from "../engine/ports/model.ts";

/** The server of one model. */
export interface Route {
  readonly port: ModelPort;
  /** Said before a failure's own words: whose model it is and where, without a key. */
  readonly name: string;
}

/** Requests to a model of `routes` go there, all others to `own`. A routed request that fails names its server. */
export function routeModels(own: ModelPort, routes: ReadonlyMap<string, Route>): ModelPort {
  return {
    async complete(request, watch) {
      const route = routes.get(request.model);
      if (route === undefined) return own.complete(request, watch);
      const outcome = await route.port.complete(request, watch);
      return outcome.kind === "failed" ? { ...outcome, message: `${route.name}: ${outcome.message}` } : outcome;
    },
  };
}
