// Takes a payment from the provider's callback to the ledger.

import { canMove } from "./states.js";

/** `provider.capture(paymentId, cents)` takes the money from the card, and resolves once it has. */
export function createPayments({ store, ledger, provider }) {
  /** Handles a callback of the provider: `{ id, type, paymentId }`. Answers with what became of it. */
  async function handleCallback(callback) {
    const payment = store.get(callback.paymentId);
    switch (callback.type) {
      case "authorized":
        return charge(payment);
      case "declined":
        return decline(payment);
      default:
        return "ignored";
    }
  }

  /** Tries a charge again that was cut off. Support calls this, after a look at the provider's console. */
  async function retryCharge(paymentId) {
    const payment = store.get(paymentId);
    if (payment.state !== "CHARGING") throw new Error(`${paymentId} is ${payment.state}: no charge was cut off.`);
    return charge(payment);
  }

  async function charge({ id, cents, state }) {
    if (!canMove(state, "CHARGING")) return "ignored";
    store.setState(id, "CHARGING");
    await provider.capture(id, cents);
    ledger.book(id, cents);
    store.setState(id, "PAID");
    return "paid";
  }

  function decline({ id, state }) {
    if (!canMove(state, "DECLINED")) return "ignored";
    store.setState(id, "DECLINED");
    return "declined";
  }

  return { handleCallback, retryCharge };
}
