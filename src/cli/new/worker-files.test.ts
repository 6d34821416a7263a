import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { MemberName } from "../../schema/ids.ts";
import { workerFiles } from "./worker-files.ts";

const Package = z.object({ dependencies: z.record(z.string(), z.string()) });

const manifest = {
  name: "researcher",
  displayName: "Researcher",
  description: "Researches.",
  version: "0.3.0",
  transport: "http",
  mcp: { command: "node", args: ["server.ts", "--port", "${PORT}"], env: {} },
  capabilities: ["worker"],
};

describe("the files of a new worker", () => {
  it("are those of the researcher under another name, without what it has done and what it knows (REQ-WD-43)", async () => {
    const folder = await temporaryFolder();
    const there = {
      "guild-member.json": JSON.stringify(manifest),
      "README.md": "# Researcher\n\nA researcher. Run `guild-hall rehearse researcher`.\n",
      "server.ts":
        'import { join } from "node:path";\nimport { z } from "zod";\nimport type { A } from "@modelcontextprotocol/sdk/a.js";\nimport { b } from "./b.ts";\n',
      "tools/b.ts": "export const b = 1;\n",
      "rehearsal.yaml": "# guild-hall rehearse researcher\n",
      "jobs/1/task.md": "secret",
      "memory/tides.md": "secret",
      "node_modules/zod/index.js": "",
      ".researcher.lock": "",
    };
    for (const [path, text] of Object.entries(there)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }

    const files = await workerFiles(MemberName.parse("sea-clerk"), { folder });
    const described = await workerFiles(MemberName.parse("sea-clerk"), { folder, description: "Keeps the books of harbours." });

    expect(Object.keys(files).toSorted()).toEqual([
      "README.md",
      "guild-member.json",
      "package.json",
      "rehearsal.yaml",
      "server.ts",
      "tools/b.ts",
    ]);
    const renamed = { ...manifest, name: "sea-clerk", displayName: "Sea Clerk" };
    expect(JSON.parse(files["guild-member.json"] ?? "")).toEqual({
      ...renamed,
      description: expect.stringContaining("Say here what it is really for.") as string,
    });
    expect(JSON.parse(described["guild-member.json"] ?? "")).toEqual({ ...renamed, description: "Keeps the books of harbours." });
    expect(files["README.md"]).toBe("# Sea Clerk\n\nA researcher. Run `guild-hall rehearse sea-clerk`.\n");
    expect(files["rehearsal.yaml"]).toBe("# guild-hall rehearse sea-clerk\n");
    expect(Object.keys(Package.parse(JSON.parse(files["package.json"] ?? "")).dependencies)).toEqual(["@modelcontextprotocol/sdk", "zod"]);
  });
});
