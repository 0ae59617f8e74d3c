// A line of the diff whose height is not fixed (a comment, an editor): says how high it is, px, whenever that changes.

import { useEffect, useRef } from "react";
import type { ReactNode } from "react";

export interface MeasuredBlockProps {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly onHeight: (name: string, height: number) => void;
  readonly children: ReactNode;
}

export function MeasuredBlock({ id, index, name, onHeight, children }: MeasuredBlockProps) {
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = block;
    if (current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize;
      if (height !== undefined) onHeight(name, Math.ceil(height));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [name, onHeight]);
  return (
    <div className="diff-block" role="row" id={id} aria-rowindex={index + 1} ref={block}>
      <div role="gridcell">{children}</div>
    </div>
  );
}
