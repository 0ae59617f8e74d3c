import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { closeServers } from "../../../test/support/askModel.ts";
import {
  askModel,
  makeCassette,
  offering,
  recordRequests,
  unwrap,
  user,
} from "../../../test/support/recordCassette.ts";
import { playCassette, recordCassette } from "./cassette.ts";

afterEach(closeServers);

describe("a file", () => {
  async function recordedText(): Promise<string> {
    const file = makeCassette();
    await recordRequests(file, [offering(user("alpha"))]);
    return readFileSync(file, "utf8");
  }

  it("that is damaged is refused by line and field, by player and recorder, and stays as it was", async () => {
    const line = await recordedText();
    const damaged: readonly (readonly [text: string, problem: RegExp])[] = [
      [`${line}not JSON\n`, /:2 is not a line of a cassette: .*JSON/],
      [`${line}{"version":1}\n`, /:2 is not a line of a cassette: model: .*; messages: /],
      [line.replace('"kind":"completed"', '"kind":"aborted"'), /:1 is not a line of a cassette: outcome\.kind: /],
      [line.replace('"text":"alpha"', '"text":"aleph"'), /:1 .*a part of its request is not what was recorded/],
      [line.replace(/"newMessages":\{.*?\}\}/, '"newMessages":{}'), /:1 .*message 1 is named, but no line/],
      ["a text of something else", /:1 is not a line of a cassette: it does not begin like one/],
    ];
    const found = await Promise.all(
      damaged.map(async ([text, problem]) => {
        const file = makeCassette(text);
        const results = [
          await playCassette(file),
          await recordCassette({ complete: () => Promise.reject(new Error("unasked")) }, file),
        ];
        return results.map((result) =>
          !result.ok &&
          result.error.code === "CASSETTE_INVALID" &&
          problem.test(result.error.message) &&
          readFileSync(file, "utf8") === text
            ? "refused"
            : result,
        );
      }),
    );
    expect(found).toEqual(damaged.map(() => ["refused", "refused"]));
  });

  it("of a later format is refused", async () => {
    const text = (await recordedText()).replace('"version":1', '"version":2');
    expect(await playCassette(makeCassette(text))).toMatchObject({
      ok: false,
      error: {
        code: "CASSETTE_TOO_NEW",
        message: expect.stringMatching(/:1 was recorded in version 2 .* up to 1/) as string,
      },
    });
  });

  it("that is not there is named", async () => {
    const file = join(makeCassette(), "nowhere");
    expect(await playCassette(file)).toMatchObject({
      ok: false,
      error: { code: "CASSETTE_NOT_FOUND", message: expect.stringContaining(file) as string },
    });
  });

  it("[G10] whose last line was cut short by a crash is read without it, and continued after the line before", async () => {
    const file = makeCassette();
    await recordRequests(file, [offering(user("alpha"))]);
    appendFileSync(file, '{"version":1,"model":"scri');
    const model = unwrap(await playCassette(file));
    const before = (await askModel(model, offering(user("alpha")))).outcome.kind;
    await recordRequests(file, [offering(user("beta"))]);
    const again = unwrap(await playCassette(file));
    expect([before, (await askModel(again, offering(user("beta")))).outcome]).toMatchObject([
      "completed",
      { text: "Looking at beta." },
    ]);
  });
});
