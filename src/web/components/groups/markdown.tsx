"use client";

import { Square, SquareCheck } from "lucide-react";
import { memo } from "react";
import ReactMarkdown from "react-markdown";
import type { Components, ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import remend from "remend";
import { markdownPieces } from "../../format/markdown-pieces.ts";
import { wholeWords } from "../../format/whole-words.ts";
import { useBrowserDrawing } from "../../live/use-browser-drawing.ts";
import { flattenDeep } from "../../format/markdown-depth.ts";
import { Icon } from "../elements/icon.tsx";
import { PlainOnFailure } from "../elements/plain-on-failure.tsx";
import { PlainBeginning, PlainPassage } from "../elements/plain-passage.tsx";
import { CodeBlock } from "./code-block.tsx";
import { ForeignLink } from "./foreign-link.tsx";

/**
 * Text of a model or a tool, which nobody vouches for. HTML in it stays text, links show where they lead, pictures are
 * named and not fetched. While it is still arriving, marks that are not closed yet are closed for it, and only the piece
 * at its end is read again. It is drawn in the browser alone, and what is too long or too deep stays plain.
 */
export const Markdown = memo(function Markdown({ text, isArriving = false }: { text: string; isArriving?: boolean }) {
  const isDrawn = useBrowserDrawing({ isLong: text.length > longText });
  return (
    <div className={isArriving ? `${look} arriving` : look}>
      {isDrawn ? (
        <PlainOnFailure text={text}>
          <Pieces text={text} isArriving={isArriving} />
        </PlainOnFailure>
      ) : (
        <PlainBeginning text={text} />
      )}
    </div>
  );
});

function Pieces({ text, isArriving }: { text: string; isArriving: boolean }) {
  const pieces = markdownPieces(text);
  return pieces.map((piece, index) => {
    switch (piece.kind) {
      case "code":
        return <CodeBlock key={index} language={piece.language} text={piece.text} />;
      case "prose":
        return <Prose key={index} text={isArriving && index === pieces.length - 1 ? remend(wholeWords(piece.text)) : piece.text} />;
      case "plain":
        return <PlainPassage key={index} text={piece.text} />;
      case "rest":
        return <Rest key={index} text={piece.text} />;
    }
  });
}

const Rest = memo(({ text }: { text: string }) => (
  <>
    <p className="text-xs text-ink-3">This text is very long. It is not formatted from here on.</p>
    <PlainPassage text={text} />
  </>
));

const Prose = memo(function Prose({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} rehypePlugins={rehypePlugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

const plugins = [remarkGfm];
const rehypePlugins = [flattenDeep];

/** Formatting more than this takes longer than a frame. */
const longText = 4000;

const look =
  "max-w-(--measure) text-md [overflow-wrap:anywhere] [&>*+*]:mt-2 [&_h3]:mt-4 [&_h3]:mb-1 [&_h3]:text-md [&_li]:mt-[3px] [&_li]:marker:text-ink-3 [&_ol]:list-decimal [&_ol]:pl-6 [&_ul]:list-disc [&_ul]:pl-4.5 [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_blockquote]:text-ink-2 [&_.contains-task-list]:list-none [&_.contains-task-list]:pl-0 [&_hr]:border-line";

/** Each message has its own place in the page's outline; its headings come below that, all at one level. */
const Heading: Components["h1"] = ({ children }) => <h3>{children}</h3>;

const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }) => <ForeignLink href={href}>{children}</ForeignLink>,
  img: ({ src, alt }) => (
    <ForeignLink
      href={typeof src === "string" ? src : undefined}
    >{`picture: ${alt === undefined || alt === "" ? "unnamed" : alt}`}</ForeignLink>
  ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) =>
    isBlock(className, children) ? (
      <CodeBlock language={className?.replace("language-", "") ?? ""} text={textOf(children).replace(/\n$/, "")} />
    ) : (
      <code>{children}</code>
    ),
  input: ({ checked }) => (
    <span className="mr-1.5 inline-block align-[-2px]">
      <Icon of={checked === true ? SquareCheck : Square} className="size-[15px]" />
      <span className="sr-only">{checked === true ? "done:" : "to do:"}</span>
    </span>
  ),
  table: ({ children }) => (
    <div tabIndex={0} role="region" aria-label="Table" className="overflow-x-auto">
      <table className="w-full border-collapse text-sm [overflow-wrap:normal] [&_td]:border-b [&_td]:border-line [&_td]:px-2.5 [&_td]:py-1 [&_td]:align-top [&_th]:border-b [&_th]:border-line-strong [&_th]:px-2.5 [&_th]:py-1 [&_th]:text-left [&_th]:font-medium">
        {children}
      </table>
    </div>
  ),
  th: ({ node, style, children }) => (
    <th style={style} className={cellLook(node)}>
      {children}
    </th>
  ),
  td: ({ node, style, children }) => (
    <td style={style} className={cellLook(node)}>
      {children}
    </td>
  ),
};

/** Longer than any word a reader knows: an address, a key, a path. */
const longestWord = 30;
/** So much text would stand one word below the other in a column that is only as wide as its longest word. */
const shortText = 24;

/** A table that is too wide is read by scrolling in it. So words stay whole, and a column is no narrower than its text can bear. */
function cellLook(node: ExtraProps["node"]): string | undefined {
  const text = node === undefined ? "" : textIn(node);
  if (text.split(/\s+/).some((word) => word.length > longestWord)) return "min-w-48 [overflow-wrap:anywhere]";
  return text.length > shortText ? "min-w-40" : undefined;
}

type Part = NonNullable<ExtraProps["node"]>["children"][number];

const textIn = ({ children }: { children: readonly Part[] }): string =>
  children.map((part) => (part.type === "text" ? part.value : part.type === "element" ? textIn(part) : "")).join("");

/** Only a block has a language or a line break; code in a line has neither. */
const isBlock = (className: string | undefined, children: unknown): boolean =>
  className?.includes("language-") === true || textOf(children).includes("\n");

const textOf = (children: unknown): string =>
  Array.isArray(children) ? children.map(textOf).join("") : typeof children === "string" ? children : "";
