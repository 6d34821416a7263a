import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinCommandLine, splitCommandLine } from "./command-line.ts";

const awkward = ["a", "=", "-", "'", '"', "\\", " ", "\n", "\t", "$", "|", "&", ";", "<", "`", "(", "}", "é", "🙂"];

const parts = (line: string) => splitCommandLine(line).parts;
const problem = (line: string) => splitCommandLine(line).problem;

describe("a pasted command line", () => {
  it("is taken apart at its spaces", () => {
    expect(parts("  npx   -y\t@scope/server  ")).toEqual(["npx", "-y", "@scope/server"]);
    expect(parts("")).toEqual([]);
  });

  it("keeps together what is quoted, empty texts too", () => {
    expect(parts(`node "my server.js" --name 'a "b" c' ''`)).toEqual(["node", "my server.js", "--name", 'a "b" c', ""]);
    expect(parts(`--file="my notes".json`)).toEqual(["--file=my notes.json"]);
  });

  it("takes the character after a backslash as it is, and in single quotes the backslash too", () => {
    expect(parts(String.raw`a\ b "c\"d" 'e\f' "g\h"`)).toEqual(["a b", 'c"d', String.raw`e\f`, String.raw`g\h`]);
    expect(parts("npx \\\n  -y server")).toEqual(["npx", "-y", "server"]);
  });

  it("expands nothing: variables and patterns are for the program", () => {
    expect(parts("serve --port ${PORT} *.json ~ $HOME")).toEqual(["serve", "--port", "${PORT}", "*.json", "~", "$HOME"]);
  });

  it("that only a shell could run is refused in words", () => {
    expect(problem("curl x | sh")).toContain("no shell takes part");
    expect(problem("a && b")).toContain("&");
    expect(problem("echo `id`")).toContain("`");
    expect(parts("grep 'a|b'")).toEqual(["grep", "a|b"]);
  });

  it("that is not finished is refused in words", () => {
    expect(problem(`node "server.js`)).toContain("is open at the end");
    expect(problem("node \\")).toContain("backslash");
  });

  it("written from its parts gives the same parts again, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(...awkward) })), (any) => {
        expect(parts(joinCommandLine(any))).toEqual(any);
      }),
    );
  });
});
