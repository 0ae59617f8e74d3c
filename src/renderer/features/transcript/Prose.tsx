// What an agent or a person wrote: paragraphs, lists and code, each of them text. Nothing in it is mark-up, nothing can be clicked.

import { memo } from "react";

import { Ticked } from "../../ui/Ticked.tsx";
import { blocksOf } from "./blocks.ts";
import type { Block } from "./blocks.ts";
import { plainText } from "./terminalText.ts";

export const Prose = memo(function Prose({ text }: { readonly text: string }) {
  return (
    <div className="said">
      {blocksOf(plainText(text)).map((block, at) => (
        // A text never changes its blocks' order: the place of a block is its identity.
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
});

function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === "code") return <pre className="output">{block.text}</pre>;
  if (block.kind === "paragraph")
    return (
      <p>
        <Ticked text={block.text} />
      </p>
    );
  const items = block.items.map((item, at) => (
    // As above.
    <li key={at}>
      <Ticked text={item} />
    </li>
  ));
  return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
}
