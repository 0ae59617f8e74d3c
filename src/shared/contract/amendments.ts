// How an accepted hunk may land otherwise than it was proposed. The same in commands, events and pages.

// Types and not interfaces: they go into requests as plain JSON.

/** The hunk by file, as the change set names it, and by its number there. */
type HunkName = { readonly path: string; readonly hunk: number };

/**
 * An accepted hunk lands without some of its changed lines, of which the first is 1: what is not removed stays, what is not added
 * does not come. Or it lands with a person's text in place of all its lines, unchanged ones and line ends included.
 */
export type HunkAmendment = HunkName & ({ readonly leftOut: readonly number[] } | { readonly text: string });
