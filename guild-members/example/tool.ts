import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { JsonSchemaType } from "@modelcontextprotocol/sdk/validation";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";

export type ToolCall = {
  /** Aborted when whoever called has gone away. */
  signal: AbortSignal;
  progress(done: number, total: number, message: string): Promise<void>;
};

export type ExampleTool = { definition: Tool; call(input: unknown, call: ToolCall): Promise<CallToolResult> };

type Run<Input> = (input: Input, call: ToolCall) => CallToolResult | Promise<CallToolResult>;

/**
 * A tool whose input is checked against its own schema before it runs, whoever called it. `Input` is the type of what the
 * schema lets through, with the defaults of its properties filled in.
 */
export function defineTool<Input>(definition: Tool, run: Run<Input>): ExampleTool {
  const { properties = {} } = definition.inputSchema;
  // Two types of the SDK for one thing: they differ only under exact optional types.
  const check = new AjvJsonSchemaValidator().getValidator<Input>(definition.inputSchema as JsonSchemaType);
  return {
    definition: { annotations: { readOnlyHint: true, openWorldHint: false }, ...definition },
    async call(input, call) {
      const { errorMessage, data } = check(withDefaults(properties, input));
      if (errorMessage !== undefined) return failure(`The input does not fit: ${errorMessage.replaceAll(/\bdata(?=[ /])/g, "input")}.`);
      return run(data, call);
    },
  };
}

export const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });

/** A failure that is the answer: the caller reads it and can do something about it. */
export const failure = (reason: string): CallToolResult => ({ content: [{ type: "text", text: reason }], isError: true });

/** A default in a schema is a promise to whoever leaves the field out. Here it is kept, for the properties of the input itself. */
function withDefaults(properties: Record<string, object>, input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const defaults = Object.entries(properties).flatMap(([name, schema]) => ("default" in schema ? [[name, schema.default]] : []));
  return { ...Object.fromEntries(defaults), ...input };
}
