// Everything that can be done by name or by key, once: the palette, the sheet of shortcuts, the settings and the handling of
// keys are made from this table. Data only; who carries an action out is told in useRunners.ts.

export interface ActionEntry {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** The usual keys; empty for none. */
  readonly keys: string;
  /** Where its keys mean this: a selector. Elsewhere they are not heard. Absent: everywhere. */
  readonly within?: string;
  /** Means something else in a field: there it sends what one writes. */
  readonly isQuietInFields?: true;
  /** Carried out by whoever drew that part of the screen, who hears its usual keys. */
  readonly isLocal?: true;
}

function go(id: string, title: string, keys = ""): ActionEntry {
  return { id, title, group: "Go to", keys };
}

function run(id: string, title: string, keys = ""): ActionEntry {
  return { id, title, group: "This run", keys };
}

function view(id: string, title: string, keys = ""): ActionEntry {
  return { id, title, group: "Window", keys };
}

function local(
  group: string,
  within: string,
  entries: readonly (readonly [id: string, title: string, keys: string])[],
) {
  return entries.map(([id, title, keys]): ActionEntry => ({ id, title, group, keys, within, isLocal: true }));
}

const everywhere: readonly ActionEntry[] = [
  go("app.palette", "Command palette", "Mod+K"),
  go("run.new", "New run", "Mod+N"),
  go("app.next", "Next that needs me", "Mod+J"),
  go("app.inbox", "Inbox"),
  go("app.search", "Search everything", "Mod+Shift+F"),
  go("app.settings", "Settings", "Mod+,"),
  go("app.keys", "Keyboard shortcuts", "Mod+/"),
  go("app.welcome", "First steps"),
  go("run.number", "Runs 1 to 9 of the list", "Mod+Digit"),
  go("run.previous", "Previous run", "Mod+Alt+ArrowUp"),
  go("run.following", "Next run", "Mod+Alt+ArrowDown"),
  go("place.back", "Back", "Mod+["),
  go("place.forward", "Forward", "Mod+]"),
  { ...run("run.review", "Review what is ready", "Mod+Enter"), isQuietInFields: true },
  run("run.compare", "Compare with another run"),
  run("run.pause", "Pause"),
  run("run.resume", "Resume"),
  run("run.stop", "Stop…"),
  view("panel.left", "Show or hide the runs", "Mod+B"),
  view("panel.right", "Show or hide the inspector", "Mod+."),
  view("region.next", "Next region", "F6"),
  view("region.previous", "Previous region", "Shift+F6"),
  view("theme.system", "Colours as the system has them"),
  view("theme.light", "Light colours"),
  view("theme.dark", "Dark colours"),
];

const places: readonly ActionEntry[] = [
  ...local("In the graph", '[aria-label="Graph"]', [
    ["graph.fit", "Fit the whole graph", "F"],
    ["graph.reset", "Natural size", "0"],
    ["graph.in", "Nearer", "+"],
    ["graph.out", "Farther", "-"],
  ]),
  ...local("In replay", "body:has(.run-screen)", [
    ["replay.play", "Play or pause", "Space"],
    ["replay.back", "One event back", "ArrowLeft"],
    ["replay.on", "One event on", "ArrowRight"],
    ["replay.markBack", "To the mark before", "Shift+ArrowLeft"],
    ["replay.markOn", "To the next mark", "Shift+ArrowRight"],
    ["replay.first", "To the beginning", "Home"],
    ["replay.live", "To now", "End"],
  ]),
  ...local("In a transcript", "body:has(.transcript)", [["transcript.find", "Find in this transcript", "Mod+F"]]),
  ...local("In a lane of the timeline", '[aria-label="Lanes"]', [
    ["lane.place", "Its place in the transcript", "Enter"],
    ["lane.replay", "Replay from there", "S"],
  ]),
  ...local("In a review", 'body:has([data-region="review"])', [
    ["review.nextHunk", "Next hunk", "J"],
    ["review.previousHunk", "Previous hunk", "K"],
    ["review.nextFile", "Next file", "L"],
    ["review.previousFile", "Previous file", "H"],
    ["review.accept", "Accept the hunk", "A"],
    ["review.reject", "Reject the hunk", "X"],
    ["review.comment", "Comment on the hunk", "C"],
    ["review.edit", "Edit the hunk", "E"],
    ["review.viewed", "Mark the file as viewed", "M"],
    ["review.split", "Sides beside each other", "S"],
  ]),
  ...local("On an open approval", ".asks, .ask", [
    ["ask.approve", "Approve", "A"],
    ["ask.reject", "Reject", "X"],
  ]),
];

export const actionEntries: readonly ActionEntry[] = [...everywhere, ...places];

/** The keys of an action as a person has them: their own, else the usual ones. */
export function keysOf({ id, keys }: ActionEntry, own: Readonly<Record<string, string>>): string {
  return own[id] ?? keys;
}

/** The other actions that the same keys would mean in the same place. */
export function sharersOf(
  entry: ActionEntry,
  keys: string,
  own: Readonly<Record<string, string>>,
): readonly ActionEntry[] {
  if (keys === "") return [];
  return actionEntries.filter(
    (other) =>
      other.id !== entry.id &&
      keysOf(other, own).toLowerCase() === keys.toLowerCase() &&
      (other.within === undefined || entry.within === undefined || other.within === entry.within),
  );
}
