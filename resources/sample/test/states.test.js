import assert from "node:assert/strict";
import { test } from "node:test";
import { canMove } from "../src/states.js";

test("nothing follows a paid or declined payment", () => {
  for (const end of ["PAID", "DECLINED"]) {
    for (const next of ["CREATED", "CHARGING", "PAID", "DECLINED"]) assert.equal(canMove(end, next), false);
  }
});

test("an unknown state leads nowhere", () => {
  assert.equal(canMove("LOST", "PAID"), false);
});
