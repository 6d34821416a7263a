import { Attached } from "./attached.tsx";
import { base64Size, downloadBase64, extensionOf } from "../../../live/download.ts";

/** A sound that came with the answer. It plays when somebody wants it to. */
export function Sound({ data, mimeType, fileName }: { data: string; mimeType: string; fileName: string }) {
  const isSound = /^audio\/[\w.+-]+$/.test(mimeType);
  const name = `${fileName}.${extensionOf(mimeType)}`;
  return (
    <Attached kind="Sound" mimeType={mimeType} size={base64Size(data)} onDownload={() => downloadBase64(data, name)}>
      {isSound ? (
        <audio controls preload="metadata" aria-label="Sound made by the tool" src={`data:${mimeType};base64,${data}`} className="w-full">
          {/* What it plays, if it is words, nobody has written down. */}
          <track kind="captions" />
        </audio>
      ) : null}
    </Attached>
  );
}
