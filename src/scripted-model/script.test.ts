import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "./script.ts";

describe("reading a script", () => {
  it("takes YAML and JSON alike", () => {
    const fromYaml = parseScript("turns:\n  - when: { step: 1 }\n    reply: { text: hello }\n", "a.yaml");
    const fromJson = parseScript('{"turns":[{"when":{"step":1},"reply":{"text":"hello"}}]}', "a.json");

    expect(fromYaml).toEqual({ turns: [{ when: { step: 1 }, reply: { text: "hello" } }] });
    expect(fromJson).toEqual(fromYaml);
  });

  it.each([
    ["an empty file", "", "a.yaml line 1: the document must be a group of keys, not null"],
    ["no turns", "turns: []", 'a.yaml line 1: "turns" must hold at least one turn, not []'],
    [
      "an empty reply",
      "turns:\n  - reply: {}",
      'a.yaml line 2: "turns[0].reply" must have at least one of text, tools, error and fault, not {}',
    ],
    ["a mistyped key", "turns:\n  - wen: {}\n    reply: { text: x }", 'a.yaml line 2: unknown key "wen"; did you mean "when"?'],
    [
      "a mistyped condition",
      "turns:\n  - when: { userContain: a }\n    reply: { text: x }",
      'unknown key "userContain"; did you mean "userContains"?',
    ],
    ["a wrong type", "turns:\n  - reply:\n      text: 5", 'a.yaml line 3: "turns[0].reply.text" must be a text, not 5'],
    ["an unknown fault", "turns:\n  - reply: { fault: { how: cutt } }", '"turns[0].reply.fault.how" must be one of cut, end,'],
    [
      "an error beside text",
      "turns:\n  - reply: { text: x, error: { status: 500, message: y } }",
      "must have an error alone, without text, tools or fault",
    ],
    [
      "a status that is no error",
      "turns:\n  - reply: { error: { status: 200, message: y } }",
      "must be an HTTP status from 400 to 599, not 200",
    ],
    [
      "two inputs of a tool",
      "turns:\n  - reply: { tools: [{ name: A, input: {}, rawInput: x }] }",
      "must have either input or rawInput and not both",
    ],
    ["an unknown placeholder", "turns:\n  - reply: { text: 'Hi {{usr}}' }", "uses the unknown placeholder {{usr}}; did you mean {{user}}?"],
    [
      "a placeholder in a tool's input",
      "turns:\n  - reply: { tools: [{ name: A, input: { a: ['{{constructor}}'] } }] }",
      "uses the unknown placeholder {{constructor}}; known are: {{user}}",
    ],
    [
      "a mistyped expectation",
      "turns:\n  - reply: { text: x }\nexpect:\n  toolCalled: Read\n",
      'a.yaml line 4: unknown key "toolCalled"; did you mean "toolsCalled"?',
    ],
    [
      "an end that a job cannot have",
      "turns:\n  - reply: { text: x }\nexpect: { status: done }\n",
      'a.yaml line 3: "expect.status" must be one of completed, failed, cancelled, not "done"',
    ],
    [
      "an expectation that is no text",
      "turns:\n  - reply: { text: x }\nexpect:\n  questions: 2\n",
      'a.yaml line 4: "expect.questions" must be a text, or a list of texts all of which have to fit, not 2',
    ],
    ["text that is no YAML", "turns: [", "The script a.yaml is not valid YAML:"],
  ])("says what is wrong and where: %s", (_case, source, sentence) => {
    expect(() => parseScript(source, "a.yaml")).toThrow(sentence);
  });

  it("names every mistake at once", () => {
    const source = "turns:\n  - reply: { text: 5 }\n  - reply: { txt: hello }\n";

    expect(() => parseScript(source, "a.yaml")).toThrow(/line 2: [^]*line 3: /);
  });

  it("reads every example of the documentation", async () => {
    const page = await readFile(new URL("../../docs/scripted-model.md", import.meta.url), "utf8");
    const examples = [...page.matchAll(/```yaml\n([^]*?)```/g)].map((match) => match[1] ?? "");

    const scripts = examples.map((example, index) => parseScript(example, `example ${index + 1}`));

    expect(scripts.length).toBeGreaterThan(2);
  });
});
