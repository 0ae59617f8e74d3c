// Turns scripts/boundaries.ts into lint overrides, as far as a linter can go that sees one specifier at a time and whose
// patterns cannot look ahead. test/architecture.test.ts resolves every path and checks the same data exactly.

import { confinedPackages, findRoom, rooms } from "./boundaries.ts";
import type { Room } from "./boundaries.ts";

interface Pattern {
  readonly regex: string;
  readonly message: string;
}

export interface ImportRule {
  files: string[];
  excludeFiles: string[];
  rules: { "no-restricted-imports": ["error", { patterns: Pattern[] }] };
}

/** `at` of scripts/boundaries.ts as a glob. */
export const asGlob = (at: string): string => (at.endsWith("/") ? `${at}**` : at);

/** One override per room, in an order in which the narrower one wins, then one per door that opens a package. */
export function importRules(excludeFiles: string[]): ImportRule[] {
  const restrict = (files: string[], patterns: Pattern[]): ImportRule => ({
    files,
    excludeFiles,
    rules: { "no-restricted-imports": ["error", { patterns }] },
  });
  const perRoom = rooms
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .flatMap((room) => [
      restrict(room.at.map(asGlob), patternsOf(room)),
      ...(room.isolated
        ? [
            restrict(
              room.at.map((at) => `${at}*/*`),
              [...patternsOf(room), siblingsOf(room)],
            ),
          ]
        : []),
    ]);
  const perDoor = Object.entries(confinedPackages).flatMap(([name, { only }]) =>
    only.flatMap((at) => {
      const room = findRoom(at.endsWith("/") ? `${at}any.ts` : at);
      return room?.packages === "any" ? [restrict([asGlob(at)], patternsOf(room, name))] : [];
    }),
  );
  return [...perRoom, ...perDoor];
}

const depthOf = (room: Room): number => Math.max(...room.at.map((at) => at.length));

/** What `room` may not import. `opened` is the package that this file is the door of. */
function patternsOf(room: Room, opened?: string): Pattern[] {
  const closed = rooms.filter((other) => other !== room && !room.imports.includes(other.name));
  const patterns: Pattern[] = [
    {
      regex: closed.flatMap((other) => specifiersInto(other, room)).join("|"),
      message: `${room.name} may import only: ${room.imports.join(", ") || "itself"}. ${room.instead}`,
    },
  ];
  if (!room.node) patterns.push({ regex: "^node:", message: `${room.name} runs without Node. ${room.instead}` });
  if (room.packages !== "any") {
    patterns.push({
      regex: packagesBut(room.packages),
      message: `${room.name} may not import packages. ${room.instead}`,
    });
    return patterns;
  }
  for (const [name, { instead }] of Object.entries(confinedPackages)) {
    if (name !== opened) patterns.push({ regex: `^${name}(?:/|$)`, message: `${name} has one door. ${instead}` });
  }
  return patterns;
}

/** Relative specifiers that lead from `room` into `target`: `../git/`, or `../../main/git/` from another process. */
function specifiersInto(target: Room, room: Room): string[] {
  const home = room.at[0]?.split("/")[1];
  // A file that stands beside the other rooms' folders reaches them with `./`.
  const isBeside = room.at.some((at) => at.split("/").length === 3 && !at.endsWith("/"));
  const up = isBeside ? "^(?:\\./|(?:\\.\\./)+)" : "^(?:\\.\\./)+";
  return target.at.map((at) => {
    const [, process, ...rest] = at.split("/");
    const tail = rest.join("/").replaceAll(".", "\\.");
    const files = tail === "*" ? "(?:workbench|main|App)\\.tsx?$" : tail;
    // The ports are a room of their own inside the engine.
    const place = target.name === "engine" ? `${files}[^/]+$` : files;
    return process === home ? `${up}${place}` : `${up}${process}/${place}`;
  });
}

/** Package names that begin otherwise than the (at most one) allowed one. */
function packagesBut([allowed]: readonly string[]): string {
  if (allowed === undefined) return "^[^.]";
  return allowed
    .split("")
    .map((letter, i) => `^${allowed.slice(0, i)}[^.${letter}]`)
    .join("|");
}

const siblingsOf = (room: Room): Pattern => ({
  regex: "^\\.\\./[^./][^/]*/",
  message: `Parts of ${room.name} never import each other. ${room.instead}`,
});
