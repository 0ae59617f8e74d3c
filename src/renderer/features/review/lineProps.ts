// What is handed down to each line of a diff that is drawn.

import type { PatchPage } from "../../../shared/contract/pages.ts";
import type { DrawnLine } from "./DiffGrid.tsx";
import type { LineActs } from "./DiffRow.tsx";
import type { FileDiffProps } from "./FileDiff.tsx";
import type { HunkModel } from "./fileModel.ts";
import type { Syntax } from "./syntax/useSyntax.ts";
import type { FileActs } from "./useFileActs.ts";
import type { FileLinesInView } from "./useFileLines.ts";

export interface DiffLinesProps extends FileDiffProps {
  readonly acts: FileActs;
  readonly inView: FileLinesInView;
  readonly body: PatchPage;
}

/** By number, as they are shown: edits are in them. */
export type Hunks = ReadonlyMap<number, HunkModel>;

export interface LineProps extends DiffLinesProps, DrawnLine {
  readonly hunks: Hunks;
  readonly syntax: Syntax;
  readonly isSplit: boolean;
  readonly canEdit: boolean;
  readonly lineActs: LineActs;
}
