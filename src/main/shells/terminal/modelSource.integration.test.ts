// The model of a run that is played from a cassette, and of which nobody says which it is.

import { dirname } from "node:path";

import { expect, test } from "vitest";

import { requestOf } from "../../../../test/support/askModel.ts";
import { makeCassette, recordRequests } from "../../../../test/support/recordCassette.ts";
import { withRecordedModel } from "./modelSource.ts";

test("a cassette has answers of the model that it was recorded with; another that is named stays, and so does a file that says none", async () => {
  const file = makeCassette();
  await recordRequests(file, [requestOf({ model: "recorded" })]);
  const modelFor = (flags: { readonly model?: string; readonly cassette?: string }) =>
    withRecordedModel(flags, dirname(file)).model;
  expect([
    modelFor({ cassette: "run.cassette" }),
    modelFor({ cassette: "run.cassette", model: "another" }),
    modelFor({ cassette: "gone.cassette" }),
    modelFor({ cassette: makeCassette("no cassette") }),
    modelFor({}),
  ]).toEqual(["recorded", "another", undefined, undefined, undefined]);
});
