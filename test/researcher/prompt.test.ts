import { expect, it } from "vitest";
import { systemPrompt } from "../../guild-members/researcher/prompt.ts";

it("a task that is too long for the prompt is cut off without breaking a character, and says where all of it is", () => {
  const task = `${"a".repeat(19_999)}😀 and more`;

  const prompt = systemPrompt({ task, memory: { text: "", leftOut: [] }, memoryFolder: "/memory", hasWebSearch: true });

  expect(prompt.isWellFormed()).toBe(true);
  expect(prompt).toContain("All of it is in task.md");
  expect(prompt).not.toContain("and more");
});
