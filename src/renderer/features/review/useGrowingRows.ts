// The rows of a long list while it is being read: shown at its first page, then each time that it has doubled, then whole. What is
// made of the rows costs as much as there are, so made anew for every page it would cost as their square.

import { useState } from "react";

export function useGrowingRows<Row>(rows: readonly Row[], isWhole: boolean): readonly Row[] {
  const [shown, setShown] = useState(rows);
  const isDue = rows !== shown && (isWhole || rows.length >= shown.length * 2 || rows.length < shown.length);
  if (isDue) setShown(rows);
  return isDue ? rows : shown;
}
