// The payments that we know, in memory. Whether a state may follow another is not decided here.

export function createStore() {
  const payments = new Map();

  return {
    /** Adds a payment of `cents` that waits for the customer's bank. */
    add(id, cents) {
      payments.set(id, { id, cents, state: "CREATED" });
    },

    /** The payment as it is now. Throws when there is none of that id. */
    get(id) {
      const payment = payments.get(id);
      if (!payment) throw new Error(`There is no payment ${id}.`);
      return payment;
    },

    setState(id, state) {
      payments.set(id, { ...this.get(id), state });
    },
  };
}
