// Every cent that moved. Entries are added, never changed.

export function createLedger() {
  const entries = [];

  return {
    /** Books `cents` for a payment; a correction is a negative amount. */
    book(paymentId, cents) {
      if (!Number.isInteger(cents)) throw new TypeError(`${cents} is not a whole number of cents.`);
      entries.push(Object.freeze({ paymentId, cents }));
    },

    /** What a customer has paid for one payment so far, in cents. */
    balance(paymentId) {
      return entries.filter((entry) => entry.paymentId === paymentId).reduce((sum, { cents }) => sum + cents, 0);
    },
  };
}
