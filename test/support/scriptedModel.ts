// A real OpenAI-compatible HTTP server on loopback that answers from a script, well or badly, and keeps what it was asked.
// It never waits for time to pass: what has to be late waits for a gate.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedCall {
  readonly name: string;
  readonly args?: unknown;
  /** Sent in place of `args`, as it stands. */
  readonly rawArgs?: string;
  readonly id?: string;
}

/** One answer. Without any field: an empty completion with finish `stop`. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** `null`: no finish reason is sent. */
  readonly finish?: string | null;
  /** `null`: no usage is sent. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  /** Nothing is sent, not even the head, before this resolves. */
  readonly gate?: Promise<unknown>;
  /** In place of the chunks made of the fields above. Objects go out as data events, texts and bytes as they are. */
  readonly chunks?: readonly (object | string | Uint8Array)[];
  /** In place of `chunks`: sent as they come, for as long as they come and somebody listens. */
  readonly stream?: AsyncIterable<object>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of a stream. */
  readonly body?: string;
  /** Stays open and silent after so many chunks. */
  readonly hangAfter?: number;
  /** Sends a comment so often while it hangs, ms. */
  readonly pingEveryMs?: number;
  /** Destroys the socket after the chunks. */
  readonly cut?: boolean;
  /** Ends without `[DONE]`. */
  readonly withoutDone?: boolean;
}

export interface ScriptedEntry {
  readonly match: RegExp;
  /** The n-th turn answers the request that holds n assistant messages; the last one all later ones. */
  readonly turns: readonly (
    | ScriptedTurn
    | ((body: RequestBody, answered: number) => ScriptedTurn | Promise<ScriptedTurn>)
  )[];
}

export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface RequestBody {
  readonly [field: string]: unknown;
  readonly messages: readonly WireMessage[];
}

export interface RecordedRequest {
  /** Epoch ms. */
  readonly at: number;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: RequestBody;
  readonly firstUserMessage: string;
  readonly answered: number;
  readonly isMatched: boolean;
  /** The client went away before the answer was over. */
  isAborted: boolean;
  /** Resolves when the exchange is over, either way. */
  readonly closed: Promise<void>;
}

export interface ScriptedModelServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly requests: readonly RecordedRequest[];
  /** Resolves once `count` requests have come in all. */
  waitForRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the server on a free port. Requests that no entry matches are answered with the text `done` and recorded as such. */
export async function startScriptedModel(entries: readonly ScriptedEntry[]): Promise<ScriptedModelServer> {
  const requests: RecordedRequest[] = [];
  const waiting: { readonly count: number; resolve(): void }[] = [];

  function record(request: RecordedRequest): void {
    requests.push(request);
    for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
  }
  const server = createServer((incoming, response) => {
    void handle(incoming, response, entries, record, () => requests.length).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
  return {
    baseUrl: `http://${host}/v1`,
    host,
    requests,
    waitForRequests(count) {
      if (requests.length >= count) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ count, resolve }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  entries: readonly ScriptedEntry[],
  record: (request: RecordedRequest) => void,
  requestCount: () => number,
): Promise<void> {
  const url = incoming.url ?? "";
  if (url === "/v1/models")
    return sendJson(response, 200, { object: "list", data: [{ id: "scripted", object: "model", owned_by: "test" }] });
  if (url !== "/v1/chat/completions") return sendJson(response, 404, { detail: "Not Found" });
  const body = await readBody(incoming);
  const firstUserMessage = textOf(body.messages.find((message) => message.role === "user")?.content);
  const answered = body.messages.filter((message) => message.role === "assistant").length;
  const entry = entries.find((candidate) => candidate.match.test(firstUserMessage));
  async function watchClose(): Promise<void> {
    await once(response, "close");
    request.isAborted = !response.writableEnded;
  }
  const at = Date.now();
  const request: RecordedRequest = {
    at,
    url,
    headers: incoming.headers,
    body,
    firstUserMessage,
    answered,
    isMatched: entry !== undefined,
    isAborted: false,
    closed: watchClose(),
  };
  record(request);
  const scripted = entry?.turns[Math.min(answered, entry.turns.length - 1)] ?? { text: "done" };
  const turn = typeof scripted === "function" ? await scripted(body, answered) : scripted;
  await turn.gate;
  if (turn.body !== undefined || turn.status !== undefined) sendBody(response, turn);
  else if (turn.stream !== undefined) await relayStream(response, turn.stream);
  else sendStream(response, turn, requestCount());
}

async function readBody(incoming: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as RequestBody;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { readonly text?: string }) => part.text ?? "").join("\n");
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function sendBody(response: ServerResponse, turn: ScriptedTurn): void {
  const { status = 200, headers } = turn;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(turn.body ?? JSON.stringify({ error: { message: "scripted refusal", code: status } }));
}

function sendStream(response: ServerResponse, turn: ScriptedTurn, requestNumber: number): void {
  response.writeHead(200, { "content-type": "text/event-stream", ...turn.headers });
  response.flushHeaders();
  const chunks = turn.chunks ?? chunksOf(turn, requestNumber);
  for (const chunk of chunks.slice(0, turn.hangAfter)) {
    response.write(
      typeof chunk === "string" || chunk instanceof Uint8Array ? chunk : `data: ${JSON.stringify(chunk)}\n\n`,
    );
  }
  if (turn.hangAfter !== undefined) {
    if (turn.pingEveryMs === undefined) return;
    const pings = setInterval(() => response.write(": ping\n\n"), turn.pingEveryMs);
    response.on("close", () => clearInterval(pings));
    return;
  }
  if (turn.cut) {
    // Behind what was written, which otherwise dies in the socket's buffer.
    response.write("", () => response.destroy());
    return;
  }
  response.end(turn.withoutDone ? undefined : "data: [DONE]\n\n");
}

async function relayStream(response: ServerResponse, stream: AsyncIterable<object>): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for await (const chunk of stream) {
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

/** A chunk of a completion with this delta, as OpenAI sends it. */
export function completionChunk(delta: object, finish: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: "completion", object: "chat.completion.chunk", created: 1, model: "scripted", choices };
}

function chunksOf(turn: ScriptedTurn, requestNumber: number): readonly object[] {
  const calls = turn.calls ?? [];
  const finish = turn.finish === undefined ? (calls.length > 0 ? "tool_calls" : "stop") : turn.finish;
  const usage = turn.usage === undefined ? { prompt_tokens: 100, completion_tokens: 20 } : turn.usage;
  return [
    ...(turn.reasoning === undefined
      ? []
      : [completionChunk({ role: "assistant", reasoning_content: turn.reasoning })]),
    ...(turn.text === undefined ? [] : [completionChunk({ role: "assistant", content: turn.text })]),
    ...calls.map((call, index) => {
      const text = call.rawArgs ?? JSON.stringify(call.args ?? {});
      const id = call.id ?? `call_${requestNumber}_${index}`;
      return completionChunk({
        tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: text } }],
      });
    }),
    ...(finish === null ? [] : [completionChunk({}, finish)]),
    ...(usage === null ? [] : [{ id: "completion", object: "chat.completion.chunk", choices: [], usage }]),
  ];
}
