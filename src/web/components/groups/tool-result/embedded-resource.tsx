import type { ToolContent } from "../../../../schema/tool.ts";
import { Attached } from "./attached.tsx";
import { base64Size, downloadBase64, downloadText, fileNameOf } from "../../../live/download.ts";
import { LongText } from "./long-text.tsx";
import { isPicture, Picture } from "./picture.tsx";

type Resource = Extract<ToolContent, { type: "resource" }>["resource"];

/** A file that came with the answer, as text where it is text. Its address is the member's own, and is not looked at. */
export function EmbeddedResource({ resource, fileName }: { resource: Resource; fileName: string }) {
  const { uri, text, blob = "", mimeType = text === undefined ? "application/octet-stream" : "text/plain" } = resource;
  const name = fileNameOf(uri, fileName);
  if (text === undefined && isPicture(mimeType)) return <Picture data={blob} mimeType={mimeType} fileName={fileName} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <code className="text-xs [overflow-wrap:anywhere] text-ink-2">{uri}</code>
      <Attached
        kind="File"
        mimeType={mimeType}
        size={text === undefined ? base64Size(blob) : text.length}
        onDownload={() => (text === undefined ? downloadBase64(blob, name) : downloadText(text, name))}
      >
        {text === undefined ? null : (
          <div className="w-full">
            <LongText label={`Text of ${name}`} text={text} fileName={name} />
          </div>
        )}
      </Attached>
    </div>
  );
}
