// What an agent or a person wrote, as Markdown. HTML in it is shown as the text it is, images as their words, and a link
// leads only where ExternalLink lets it. Nothing is fetched.

import { memo } from "react";
import type { ReactNode } from "react";
import ReactMarkdown from "react-markdown";
import type { Components, Options } from "react-markdown";
import remarkGfm from "remark-gfm";

import { ExternalLink } from "./ExternalLink.tsx";
import { plainText } from "./terminalText.ts";

/** All that can come out; of anything else its text stays. */
const allowed =
  "p h1 h2 h3 h4 h5 h6 blockquote hr br pre code strong em del a img ul ol li input table thead tbody tr th td".split(
    " ",
  );

// A definition in one paragraph may serve a link in another, so a text is read whole; its rows are at most a page long.
const plugins: NonNullable<Options["remarkPlugins"]> = [remarkGfm];

/** A page's own headings are the outline; those of a text are words in it. */
function Heading({ children }: { readonly children?: ReactNode }) {
  return <p className="md-heading">{children}</p>;
}

const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href = "", node, children }) => (
    <ExternalLink address={href} text={textOf(node)}>
      {children}
    </ExternalLink>
  ),
  // A picture from elsewhere would tell its server that somebody reads this.
  img: ({ alt = "", src }) => (
    <span className="no-link">
      [picture: {alt} {typeof src === "string" ? src : ""}]
    </span>
  ),
  pre: ({ children }) => (
    // It scrolls sideways, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="output" tabIndex={0}>
      {children}
    </pre>
  ),
  input: ({ checked }) => <span className="md-task">{checked === true ? "done: " : "to do: "}</span>,
  table: ({ children }) => (
    // As above.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="md-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

interface TextNode {
  readonly type: string;
  readonly value?: unknown;
  readonly children?: readonly TextNode[];
}

function textOf(node: TextNode | undefined): string {
  if (node === undefined) return "";
  if (typeof node.value === "string") return node.value;
  return (node.children ?? []).map(textOf).join("");
}

/** Addresses are judged where they are shown, so that one that may not be followed can say so. */
function keepAddress(address: string): string {
  return address;
}

export const MarkdownText = memo(function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className="said">
      <ReactMarkdown
        remarkPlugins={plugins}
        allowedElements={allowed}
        unwrapDisallowed
        urlTransform={keepAddress}
        components={components}
      >
        {plainText(text)}
      </ReactMarkdown>
    </div>
  );
});
