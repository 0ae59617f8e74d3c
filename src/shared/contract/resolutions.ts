// How the conflicts of a change set with its target land, place by place. The same in commands, events and pages.

// Types and not interfaces: they go into requests as plain JSON.

/** What lands at one place: the target's lines, the proposed ones, both (the target's first), or a person's text, line ends included. */
export type ConflictPick = "target" | "proposed" | "both" | { readonly text: string };

/**
 * One file in conflict. `target` and `proposed` are the blobs that the person chose between, `null` where there is no such file:
 * a resolution holds for these two and no others. `picks` has one for each place, in the order of the file; of a file that cannot
 * be told by lines there is one, and it names a side.
 */
export type FileResolution = {
  readonly path: string;
  readonly target: string | null;
  readonly proposed: string | null;
  readonly picks: readonly ConflictPick[];
};
