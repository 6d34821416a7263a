import { defineTool } from "../tool.ts";

type Section = { heading: string; text?: string; sections?: Section[] };

export const writeOutline = defineTool<Section>(
  {
    name: "write_outline",
    title: "Write an outline",
    description: "Turns sections within sections into one Markdown document with numbered headings, as an embedded resource.",
    inputSchema: {
      type: "object",
      properties: {
        heading: { type: "string", title: "Title", minLength: 1, maxLength: 120 },
        text: { type: "string", title: "Introduction", maxLength: 5000, contentMediaType: "text/markdown" },
        sections: { type: "array", title: "Sections", items: { $ref: "#/$defs/section" }, maxItems: 50 },
      },
      required: ["heading"],
      additionalProperties: false,
      $defs: {
        section: {
          type: "object",
          title: "Section",
          properties: {
            heading: { type: "string", title: "Heading", minLength: 1, maxLength: 120 },
            text: { type: "string", title: "Text", maxLength: 5000, contentMediaType: "text/markdown" },
            sections: { type: "array", title: "Sections", items: { $ref: "#/$defs/section" }, maxItems: 50 },
          },
          required: ["heading"],
          additionalProperties: false,
        },
      },
    },
  },
  (document) => {
    const markdown = write(document, []);
    return {
      content: [
        { type: "text", text: `The outline has ${countSections(document)} sections.` },
        { type: "resource", resource: { uri: "example://made/outline.md", mimeType: "text/markdown", text: markdown } },
      ],
    };
  },
);

/** Markdown knows six levels of headings. */
function write({ heading, text, sections = [] }: Section, number: readonly number[]): string {
  const title = `${"#".repeat(Math.min(number.length + 1, 6))} ${[number.join("."), heading].filter((part) => part !== "").join(" ")}`;
  const children = sections.map((section, at) => write(section, [...number, at + 1]));
  return [title, ...(text === undefined ? [] : [text]), ...children].join("\n\n");
}

const countSections = ({ sections = [] }: Section): number => sections.reduce((total, section) => total + 1 + countSections(section), 0);
