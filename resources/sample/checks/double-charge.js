// Fails when a repeated callback charges a card a second time. The provider here is slow, as on a busy evening: it
// sends the callback again while the first charge is still under way.

import { setTimeout as pause } from "node:timers/promises";
import { createLedger } from "../src/ledger.js";
import { createPayments } from "../src/payments.js";
import { createStore } from "../src/store.js";

const due = 2999;
const store = createStore();
const ledger = createLedger();
const payments = createPayments({ store, ledger, provider: { capture: () => pause(50) } });
const callback = { id: "cb-1", type: "authorized", paymentId: "pay-1" };

store.add("pay-1", due);
await Promise.all([payments.handleCallback(callback), payments.handleCallback(callback)]);

const charged = ledger.balance("pay-1");
if (charged === due) {
  console.log(`ok: callback ${callback.id} came twice, and pay-1 was charged ${due} cents once.`);
} else {
  console.error(`FAILED: callback ${callback.id} came twice, and pay-1 was charged ${charged} cents instead of ${due}.`);
  process.exitCode = 1;
}
