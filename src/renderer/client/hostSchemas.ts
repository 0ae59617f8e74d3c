// What the host's answers, the pieces of long texts and the topic `window` must look like before the page believes them.

import "./schemaPolicy.ts";
import { z } from "zod";

import type { ContentPiece } from "../../shared/contract/content.ts";
import type { HostAct, HostAnswers } from "../../shared/contract/host.ts";
import { type MenuAction, menuItems } from "../../shared/contract/menu.ts";
import type { WindowSnapshot } from "../../shared/contract/window.ts";

const count = z.int().nonnegative();

export const contentPiece: z.ZodType<ContentPiece> = z.object({
  text: z.string(),
  next: count.nullable(),
  total: count,
});

const acts = [
  "chooseFolder",
  "openExternal",
  "reveal",
  "openInEditor",
  "newWindow",
] as const satisfies readonly HostAct[];

export const hostAnswers: { readonly [Kind in keyof HostAnswers]: z.ZodType<HostAnswers[Kind]> } = {
  describe: z.object({
    shell: z.enum(["desktop", "browser"]),
    version: z.string(),
    platform: z.string(),
    can: z.array(z.enum(acts)),
    editor: z.string().nullable(),
  }),
  chooseFolder: z.object({ folder: z.string().nullable() }),
  openExternal: z.null(),
  reveal: z.null(),
  openInEditor: z.null(),
  newWindow: z.null(),
};

const n = z.int().positive();
const actions = menuItems.map(({ action }) => action);

export const windowSnapshot: z.ZodType<WindowSnapshot> = z.object({
  version: count,
  asked: z.array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("go"), n, search: z.string() }),
      z.object({ kind: z.literal("act"), n, action: z.enum(actions as [MenuAction, ...MenuAction[]]) }),
      z.object({ kind: z.literal("newRun"), n, folder: z.string() }),
    ]),
  ),
});
