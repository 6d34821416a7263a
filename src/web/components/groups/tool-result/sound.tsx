import { Attached } from "./attached.tsx";
import { base64Size, downloadBase64 } from "./download.ts";

/** A sound that came with the answer. It plays when somebody wants it to. */
export function Sound({ data, mimeType, fileName }: { data: string; mimeType: string; fileName: string }) {
  const isSound = /^audio\/[\w.+-]+$/.test(mimeType);
  const name = `${fileName}.${mimeType.split("/")[1]?.replace(/\W.*$/, "") ?? "bin"}`;
  return (
    <Attached kind="Sound" mimeType={mimeType} size={base64Size(data)} onDownload={() => downloadBase64(data, name)}>
      {isSound ? (
        // What a tool plays has no captions to show.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio controls preload="metadata" aria-label="Sound made by the tool" src={`data:${mimeType};base64,${data}`} className="w-full" />
      ) : null}
    </Attached>
  );
}
