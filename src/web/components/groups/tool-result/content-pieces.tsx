import type { ToolContent } from "../../../../schema/tool.ts";
import { ForeignLink } from "../foreign-link.tsx";
import { EmbeddedResource } from "./embedded-resource.tsx";
import { LongText } from "./long-text.tsx";
import { Picture } from "./picture.tsx";
import { Sound } from "./sound.tsx";

const mostPieces = 100;

/** The pieces of an answer, one below the other, each as what it is. Nothing is fetched from anywhere. */
export function ContentPieces({ content, fileName }: { content: readonly ToolContent[]; fileName: string }) {
  return (
    <>
      {content.slice(0, mostPieces).map((piece, index) => (
        <Piece key={pieceKey(index)} piece={piece} number={index + 1} fileName={`${fileName}-${index + 1}`} />
      ))}
      {content.length > mostPieces ? (
        <p className="text-xs text-ink-2">
          These are the first {mostPieces} of {content.length} pieces; the download has all.
        </p>
      ) : null}
    </>
  );
}

/** Pieces of an answer never change places, so their place is their key. */
const pieceKey = (index: number): string => `piece ${index}`;

function Piece({ piece, number, fileName }: { piece: ToolContent; number: number; fileName: string }) {
  switch (piece.type) {
    case "text":
      return <LongText label={`Text, piece ${number}`} text={piece.text} fileName={`${fileName}.txt`} />;
    case "image":
      return <Picture data={piece.data} mimeType={piece.mimeType} fileName={fileName} />;
    case "audio":
      return <Sound data={piece.data} mimeType={piece.mimeType} fileName={fileName} />;
    case "resource_link":
      return <ResourceLink link={piece} />;
    case "resource":
      return <EmbeddedResource resource={piece.resource} fileName={fileName} />;
  }
}

/** A link to something the member has. It is shown, and followed only where it leads to the web and somebody wants to. */
const ResourceLink = ({ link }: { link: Extract<ToolContent, { type: "resource_link" }> }) => (
  <div className="grid gap-0.5 rounded-2 border border-line bg-surface px-3 py-2 [overflow-wrap:anywhere]">
    <span className="font-medium">{link.title ?? link.name}</span>
    {link.description === undefined ? null : <span className="text-ink-2">{link.description}</span>}
    <p className="font-mono text-xs text-ink-2">
      <ForeignLink href={link.uri}>{link.uri}</ForeignLink>
    </p>
    {link.mimeType === undefined ? null : <span className="text-xs text-ink-3">{link.mimeType}</span>}
  </div>
);
