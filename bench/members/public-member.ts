import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { Transport } from "../../src/schema/manifest.ts";

/** A public server with the SDK's own transports, so that what is measured is a member as people have them. */
export const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));

/** Makes it a member of the hall with this home. */
export async function addPublicMember(home: string, name: string, transport: Transport): Promise<void> {
  const folder = createLayout(home).guildMember(MemberName.parse(name));
  const over = { stdio: { args: [program, "stdio"], env: {} }, http: { args: [program, "streamableHttp"], env: { PORT: "${PORT}" } } };
  const manifest = {
    name,
    displayName: name,
    description: "A public server, to be measured.",
    version: "1.0.0",
    transport,
    mcp: { command: "node", ...over[transport] },
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "guild-member.json"), JSON.stringify(manifest));
}
