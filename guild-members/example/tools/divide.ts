import { defineTool, failure, text } from "../tool.ts";

type Input = { dividend: number; divisor: number; whole: boolean };

export const divide = defineTool<Input>(
  {
    name: "divide",
    title: "Divide",
    description: "Divides one number by another. Dividing by zero is an error, and the answer says so.",
    inputSchema: {
      type: "object",
      properties: {
        dividend: { type: "number", title: "Dividend", examples: [22] },
        divisor: { type: "number", title: "Divisor", description: "Try 0 to see how a tool fails.", examples: [7] },
        whole: { type: "boolean", title: "Whole numbers", description: "Answer with quotient and remainder.", default: false },
      },
      required: ["dividend", "divisor"],
      additionalProperties: false,
    },
  },
  ({ dividend, divisor, whole }) => {
    if (divisor === 0) return failure(`${dividend} cannot be divided by zero. Choose another divisor.`);
    if (!whole) return text(String(dividend / divisor));
    return text(`${Math.trunc(dividend / divisor)}, remainder ${dividend % divisor}`);
  },
);
