// Whether a file still holds the marks that the system put at a conflict. Pure.

/** True for a text with a line that begins a place in conflict, and one that ends it. */
export function hasConflictMarks(text: string): boolean {
  return /^<{7} /m.test(text) && /^>{7} /m.test(text);
}
