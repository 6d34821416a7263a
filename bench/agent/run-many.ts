import { readToEnd, setBenchStage } from "./bench-stage.ts";

/** `node run-many.ts <ours|bare> <count>`: has so many runs done, 8 at once, and prints the most memory it had, in MiB. */
const [side, count] = process.argv.slice(2);
const stage = await setBenchStage((step) =>
  step === 1 ? { tools: [{ name: "mcp__bench__echo", input: { say: "hi" } }] } : { text: "Done." },
);
const one = side === "ours" ? () => readToEnd(stage.runner.run(stage.agentRun())) : () => stage.bare();
let left = Number(count);
const inTurn = async (): Promise<void> => {
  while (left > 0) {
    left -= 1;
    await one();
  }
};
await Promise.all(Array.from({ length: 8 }, inTurn));
await stage.end();
process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
