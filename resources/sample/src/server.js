// The route that the provider calls. It answers once the callback has been handled.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";

export function createCallbackServer(payments) {
  return createServer(async (request, response) => {
    if (request.method !== "POST" || request.url !== "/callbacks") return response.writeHead(404).end();
    try {
      const outcome = await payments.handleCallback(await json(request));
      response.writeHead(200).end(outcome);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
}
