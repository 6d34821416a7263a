import { setTimeout as after } from "node:timers/promises";
import { defineTool, text } from "../tool.ts";

type Input = { seconds: number; stepsPerSecond: number };

export const countDown = defineTool<Input>(
  {
    name: "count_down",
    title: "Count down",
    description:
      "Takes as long as it is told to, reports its progress to a client that asks for it, and stops when nobody waits for it any more.",
    inputSchema: {
      type: "object",
      properties: {
        seconds: { type: "number", title: "Seconds", exclusiveMinimum: 0, maximum: 600, default: 5 },
        stepsPerSecond: { type: "integer", title: "Steps per second", minimum: 1, maximum: 20, default: 1 },
      },
      additionalProperties: false,
    },
  },
  async ({ seconds, stepsPerSecond }, { signal, progress }) => {
    const steps = Math.ceil(seconds * stepsPerSecond);
    for (let step = 1; step <= steps; step += 1) {
      await after((seconds * 1000) / steps, undefined, { signal });
      await progress(step, steps, `${steps - step} to go`);
    }
    return text(`Counted down ${steps} steps in ${seconds} s.`);
  },
);
