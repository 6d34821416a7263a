import { gzipSync } from "node:zlib";
import { defineTool } from "../tool.ts";

type Input = { text: string; name: string; level: number };

export const compressText = defineTool<Input>(
  {
    name: "compress_text",
    title: "Compress a text",
    description: "Makes a gzip file of a text and hands it over as an embedded resource with binary content.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", title: "Text", maxLength: 100_000, contentMediaType: "text/plain" },
        name: { type: "string", title: "File name", pattern: "^[A-Za-z0-9_-]{1,40}\\.gz$", default: "text.gz" },
        level: { type: "integer", title: "Effort", minimum: 1, maximum: 9, default: 6 },
      },
      required: ["text"],
      additionalProperties: false,
    },
  },
  ({ text, name, level }) => {
    const packed = gzipSync(text, { level });
    return {
      content: [
        { type: "text", text: `${Buffer.byteLength(text)} bytes became ${packed.length}.` },
        {
          type: "resource",
          resource: { uri: `example://made/${name}`, mimeType: "application/gzip", blob: packed.toString("base64") },
        },
      ],
    };
  },
);
