// The life of a payment: which state may follow which.

const allowed = {
  CREATED: ["CHARGING", "DECLINED"],
  // Back to itself: a charge that was cut off by a timeout is tried again.
  CHARGING: ["CHARGING", "PAID"],
  PAID: [],
  DECLINED: [],
};

/** Whether a payment in state `from` may go on to state `to`. */
export function canMove(from, to) {
  return allowed[from]?.includes(to) ?? false;
}
