import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readEnvironment } from "./env-file.ts";

async function folderWith(text: string, mode = 0o600): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, ".env.local"), text, { mode });
  return folder;
}

describe(".env.local", () => {
  it("may be absent", async () => {
    const folder = await temporaryFolder();

    expect(await readEnvironment({ PATH: "/bin" }, folder)).toEqual({ env: { PATH: "/bin" }, warnings: [] });
  });

  it("adds the variables the hall knows and no others", async () => {
    const folder = await folderWith(
      'ANTHROPIC_API_KEY="a b"\nGUILD_HALL_PORT=1\nhttps_proxy=http://p\nNODE_OPTIONS=--inspect\nPATH=/evil\n',
    );

    const { env } = await readEnvironment({ PATH: "/bin" }, folder);

    expect(env).toEqual({ PATH: "/bin", ANTHROPIC_API_KEY: "a b", GUILD_HALL_PORT: "1", https_proxy: "http://p" });
  });

  it("gives way to the real environment", async () => {
    const folder = await folderWith("GUILD_HALL_MODEL=file\nGUILD_HALL_HOST=::1\n");

    const { env } = await readEnvironment({ GUILD_HALL_MODEL: "real" }, folder);

    expect(env).toEqual({ GUILD_HALL_MODEL: "real", GUILD_HALL_HOST: "::1" });
  });

  it("is read anew each time, so that a key written later is found", async () => {
    const folder = await folderWith("");
    await readEnvironment({}, folder);
    await writeFile(join(folder, ".env.local"), "ANTHROPIC_AUTH_TOKEN=later\n");

    const { env } = await readEnvironment({}, folder);

    expect(env).toEqual({ ANTHROPIC_AUTH_TOKEN: "later" });
  });

  it("that others can read draws a warning without its contents (SEC-9)", async () => {
    const folder = await folderWith("ANTHROPIC_API_KEY=sk-secret\n", 0o644);

    const { warnings } = await readEnvironment({}, folder);

    expect(warnings).toEqual([expect.stringMatching(/can be read by other users .* chmod 600 /)]);
    expect(warnings.join()).not.toContain("sk-secret");
  });

  it("that cannot be read is left out with a warning", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, ".env.local"));

    const { env, warnings } = await readEnvironment({}, folder);

    expect(env).toEqual({});
    expect(warnings).toEqual([expect.stringContaining("cannot be read and was left out")]);
  });
});
