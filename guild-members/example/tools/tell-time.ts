import { defineTool, text } from "../tool.ts";

export const tellTime = defineTool(
  {
    name: "tell_time",
    title: "Tell the time",
    description: "The time on this machine, in UTC. Takes no input.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  },
  () => text(`It is ${new Date().toISOString()}.`),
);
