import { z } from "zod";
import { ToolContent } from "../../../../schema/tool.ts";

/** What came back from a tool in a conversation, piece by piece; null where it has a form nobody here knows. */
export function resultPieces(content: unknown): ToolContent[] | null {
  const pieces = z.array(ResultPiece).safeParse(typeof content === "string" ? [{ type: "text", text: content }] : content);
  return pieces.success ? pieces.data : null;
}

/** The model is given pictures and documents in a form of its own, and so they are kept. */
const ModelFile = z
  .object({
    type: z.enum(["image", "document"]),
    title: z.string().nullish(),
    source: z.object({ type: z.enum(["base64", "text"]), media_type: z.string(), data: z.string() }),
  })
  .transform(({ type, title, source: { type: form, media_type: mimeType, data } }): ToolContent => {
    if (type === "image") return { type, data, mimeType };
    return { type: "resource", resource: { uri: title ?? "document", mimeType, ...(form === "text" ? { text: data } : { blob: data }) } };
  });

/** It is somewhere else, and is not fetched: nobody vouches for the address. */
const ModelLink = z
  .object({ type: z.enum(["image", "document"]), source: z.object({ type: z.literal("url"), url: z.string() }) })
  .transform(({ source: { url } }): ToolContent => ({ type: "resource_link", uri: url, name: url }));

const ResultPiece = z.union([ToolContent, ModelFile, ModelLink]);
