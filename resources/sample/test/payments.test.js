import assert from "node:assert/strict";
import { test } from "node:test";
import { createLedger } from "../src/ledger.js";
import { createPayments } from "../src/payments.js";
import { createStore } from "../src/store.js";

const authorized = { id: "cb-1", type: "authorized", paymentId: "pay-1" };

/** One payment of 29.99, and a provider that notes what it was asked for. */
function setUp(capture = async () => {}) {
  const store = createStore();
  const ledger = createLedger();
  const captured = [];
  const provider = {
    async capture(paymentId, cents) {
      captured.push(cents);
      await capture();
    },
  };
  store.add("pay-1", 2999);
  return { store, ledger, captured, payments: createPayments({ store, ledger, provider }) };
}

test("an authorized payment is charged and booked", async () => {
  const { store, ledger, captured, payments } = setUp();
  assert.equal(await payments.handleCallback(authorized), "paid");
  assert.deepEqual(captured, [2999]);
  assert.equal(ledger.balance("pay-1"), 2999);
  assert.equal(store.get("pay-1").state, "PAID");
});

test("a callback that is repeated after the charge charges nothing", async () => {
  const { captured, payments } = setUp();
  await payments.handleCallback(authorized);
  await payments.handleCallback(authorized);
  assert.deepEqual(captured, [2999]);
});

test("a charge that timed out can be tried again", async () => {
  const outcomes = [() => Promise.reject(new Error("timeout")), () => Promise.resolve()];
  const { ledger, payments } = setUp(() => outcomes.shift()());
  await assert.rejects(payments.handleCallback(authorized), /timeout/);
  assert.equal(await payments.retryCharge("pay-1"), "paid");
  assert.equal(ledger.balance("pay-1"), 2999);
});

test("a declined payment is not charged", async () => {
  const { captured, payments } = setUp();
  assert.equal(await payments.handleCallback({ ...authorized, type: "declined" }), "declined");
  assert.deepEqual(captured, []);
});
