import { execFile } from "node:child_process";
import { mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { failureOf } from "../failure-of.testing.ts";
import { memberHome, putFile } from "./member-home.testing.ts";
import { linkPackages } from "./package-links.ts";

const repository = join(import.meta.dirname, "../../../..");
const sdk = "@modelcontextprotocol/sdk";

/** A copy of the hall whose packages an installer put into these folders. */
async function givenHall(layoutOf: (root: string) => { project: string; shelves: Record<string, string> }) {
  const home = await memberHome();
  const { project, shelves } = layoutOf(home.outside);
  const dependencies = Object.fromEntries(Object.keys(shelves).map((name) => [name, "*"]));
  await putFile(join(project, "package.json"), JSON.stringify({ name: "guild-hall", dependencies }));
  for (const [name, shelf] of Object.entries(shelves)) {
    await mkdir(dirname(join(shelf, name)), { recursive: true });
    await symlink(join(repository, "node_modules", name), join(shelf, name));
  }
  return { ...home, project };
}

const checkout = (root: string) => {
  const project = join(root, "checkout");
  return { project, shelves: { [sdk]: join(project, "node_modules"), zod: join(project, "node_modules") } };
};
const hoisted = (root: string) => {
  const shelf = join(root, "app/node_modules");
  return { project: join(shelf, "guild-hall"), shelves: { [sdk]: shelf, zod: shelf } };
};
const mixed = (root: string) => {
  const shelf = join(root, "app/node_modules");
  return { project: join(shelf, "guild-hall"), shelves: { [sdk]: shelf, zod: join(shelf, "guild-hall/node_modules") } };
};

const member = `
import { McpServer } from "${sdk}/server/mcp.js";
import { z } from "zod";
const server: McpServer = new McpServer({ name: "tiny", version: "0.1.0" });
server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({ content: [{ type: "text", text }] }));
console.log("a server with " + Object.keys((server as unknown as { _registeredTools: object })._registeredTools).join());
`;

describe("node_modules of a home", () => {
  it.each([
    ["in a checkout", checkout],
    ["installed, with packages beside the hall", hoisted],
    ["installed, with packages beside and below the hall", mixed],
  ])("lets a member written in TypeScript import what the hall ships (%s)", async (_where, layoutOf) => {
    const { layout, project, put } = await givenHall(layoutOf);
    await put("tiny/package.json", '{ "type": "module" }');
    await put("tiny/server.ts", member);

    await linkPackages(layout, project);

    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["server.ts"], { cwd: join(layout.guildMembers, "tiny") });
    expect({ stdout, stderr }).toEqual({ stdout: "a server with echo\n", stderr: "" });
  });

  it("leads to the one folder that has them all, and to links where there is none", async () => {
    const besides = await givenHall(hoisted);
    const both = await givenHall(mixed);

    await linkPackages(besides.layout, besides.project);
    await linkPackages(both.layout, both.project);

    expect(await readlink(besides.layout.nodeModules)).toBe(join(besides.outside, "app/node_modules"));
    expect(await readlink(both.layout.nodeModules)).toBe(both.layout.packageLinks);
    expect(await readlink(join(both.layout.packageLinks, "zod"))).toBe(join(both.project, "node_modules/zod"));
  });

  it("is replaced where it leads elsewhere, or nowhere, and stays where it is right", async () => {
    const { layout, project, outside } = await givenHall(checkout);
    await symlink(join(outside, "gone"), layout.nodeModules);

    await linkPackages(layout, project);
    await linkPackages(layout, project);

    expect(await readlink(layout.nodeModules)).toBe(join(project, "node_modules"));
  });

  it("follows the hall when its packages move", async () => {
    const { layout, project, outside } = await givenHall(mixed);
    await linkPackages(layout, project);
    const other = join(outside, "elsewhere");
    await putFile(join(other, "package.json"), '{ "dependencies": { "zod": "*" } }');
    await mkdir(join(other, "node_modules/zod"), { recursive: true });

    await linkPackages(layout, other);

    expect(await readlink(layout.nodeModules)).toBe(join(other, "node_modules"));
  });

  it("that a person made is left alone, and reported", async () => {
    const { layout, project } = await givenHall(checkout);
    await putFile(join(layout.nodeModules, "mine/index.js"), "mine");

    const failure = await failureOf(linkPackages(layout, project));

    expect(failure.message).toContain(`${layout.nodeModules} is not the hall's link to its packages, so it was left alone`);
    expect(await readFile(join(layout.nodeModules, "mine/index.js"), "utf8")).toBe("mine");
  });

  it("that is a file is left alone too", async () => {
    const { layout, project } = await givenHall(checkout);
    await writeFile(layout.nodeModules, "mine");

    expect((await failureOf(linkPackages(layout, project))).code).toBe("conflict");
  });
});
