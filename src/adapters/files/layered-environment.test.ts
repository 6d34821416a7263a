import { execFile } from "node:child_process";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readEnvironment } from "./layered-environment.ts";

async function folderWith(text: string, mode = 0o600): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, ".env.local"), text, { mode });
  return folder;
}

/** The file in an installation, a home or the working directory; the others have none. */
const inInstallation = (folder: string, real = {}) => readEnvironment(real, { installation: [folder], home: "/absent", folder: "/absent" });
const inHome = (folder: string, real = {}) => readEnvironment(real, { installation: [], home: folder, folder: "/absent" });
const inWorkingFolder = (folder: string, real = {}) => readEnvironment(real, { installation: [], home: "/absent", folder });

describe(".env.local", () => {
  it("may be absent", async () => {
    const folder = await temporaryFolder();

    const found = await readEnvironment({ PATH: "/bin" }, { installation: [folder], home: folder, folder });

    expect(found).toEqual({ env: { PATH: "/bin" }, origins: {}, warnings: [] });
  });

  it.each([
    ["an installation", inInstallation],
    ["a home", inHome],
  ])("of %s adds the variables the hall knows and no others, and they say where they come from", async (_what, read) => {
    const folder = await folderWith(
      'ANTHROPIC_API_KEY="a b"\nGUILD_HALL_PORT=1\nhttps_proxy=http://p\nNODE_OPTIONS=--inspect\nPATH=/evil\nGUILD_HALL_ENV_FILE=/evil\n',
    );

    const { env, origins } = await read(folder, { PATH: "/bin" });

    const path = join(folder, ".env.local");
    expect(env).toEqual({ PATH: "/bin", ANTHROPIC_API_KEY: "a b", GUILD_HALL_PORT: "1", https_proxy: "http://p" });
    expect(origins).toEqual({ ANTHROPIC_API_KEY: path, GUILD_HALL_PORT: path, https_proxy: path });
  });

  it("gives way to the real environment, and that of an installation to that of a home", async () => {
    const installation = await folderWith("GUILD_HALL_MODEL=i\nGUILD_HALL_HOST=i\nGUILD_HALL_PORT=1\n");
    const home = await folderWith("GUILD_HALL_MODEL=h\nGUILD_HALL_HOST=h\n");

    const { env, origins } = await readEnvironment({ GUILD_HALL_MODEL: "real" }, { installation: [installation], home, folder: "/absent" });

    expect(env).toEqual({ GUILD_HALL_MODEL: "real", GUILD_HALL_HOST: "h", GUILD_HALL_PORT: "1" });
    expect(origins).toEqual({ GUILD_HALL_HOST: join(home, ".env.local"), GUILD_HALL_PORT: join(installation, ".env.local") });
  });

  it("adds no credential to that of another place", async () => {
    const installation = await folderWith("ANTHROPIC_API_KEY=i\nCLAUDE_CODE_OAUTH_TOKEN=i\n");
    const home = await folderWith("ANTHROPIC_AUTH_TOKEN=h\n");
    const places = { installation: [installation], home, folder: "/absent" };

    expect((await readEnvironment({}, places)).env).toEqual({ ANTHROPIC_AUTH_TOKEN: "h" });
    expect((await readEnvironment({ CLAUDE_CODE_OAUTH_TOKEN: "real" }, places)).env).toEqual({ CLAUDE_CODE_OAUTH_TOKEN: "real" });
  });

  it("chooses a home only in an installation, and relative to the file", async () => {
    const folder = await folderWith("GUILD_HALL_HOME=./h\n");

    const there = await inInstallation(folder);
    const here = await inHome(folder);

    expect(there.env).toEqual({ GUILD_HALL_HOME: join(folder, "h") });
    expect(here.env).toEqual({});
    expect(here.warnings).toEqual([`GUILD_HALL_HOME in ${folder}/.env.local is not used: the file of a home cannot choose a home.`]);
  });

  it("of the working directory is not used, and a sentence says where its variables belong (SEC-9)", async () => {
    const folder = await folderWith("ANTHROPIC_BASE_URL=http://evil\nGUILD_HALL_HOME=./h\nOTHER=1\n");

    const { env, origins, warnings } = await inWorkingFolder(folder);

    expect({ env, origins }).toEqual({ env: {}, origins: {} });
    expect(warnings).toEqual([
      `${folder}/.env.local is not used, because the working directory decides nothing. For the hall, put ANTHROPIC_BASE_URL, GUILD_HALL_HOME into /absent/.env.local. A home is chosen with --home.`,
    ]);
    expect((await inWorkingFolder(await folderWith("OTHER=1\n"))).warnings).toEqual([]);
  });

  it("of the working directory is used without a word if that is the home or the installation, under any name", async () => {
    const folder = await folderWith("GUILD_HALL_PORT=1\n");
    const link = join(await temporaryFolder(), "link");
    await symlink(folder, link);

    const places = [
      { installation: [], home: folder, folder: link },
      { installation: [link], home: "/absent", folder },
    ];
    for (const place of places) expect(await readEnvironment({}, place)).toMatchObject({ env: { GUILD_HALL_PORT: "1" }, warnings: [] });
  });

  it("of an installation is replaced by the file that the real environment names", async () => {
    const other = await folderWith("GUILD_HALL_PORT=2\n");
    const real = { GUILD_HALL_ENV_FILE: join(other, ".env.local") };

    const { env } = await inInstallation(await folderWith("GUILD_HALL_PORT=1\nGUILD_HALL_HOST=::1\n"), real);

    expect(env).toEqual({ ...real, GUILD_HALL_PORT: "2" });
  });

  it("is read again each time, so that a key written later is found", async () => {
    const folder = await folderWith("");
    await inHome(folder);
    await writeFile(join(folder, ".env.local"), "ANTHROPIC_AUTH_TOKEN=later\n");

    const { env } = await inHome(folder);

    expect(env).toEqual({ ANTHROPIC_AUTH_TOKEN: "later" });
  });

  it("that others can read draws a warning without its contents (SEC-9)", async () => {
    const { warnings } = await inHome(await folderWith("ANTHROPIC_API_KEY=sk-secret\n", 0o644));

    expect(warnings).toEqual([expect.stringMatching(/can be read by other users .* chmod 600 /)]);
    expect(warnings.join()).not.toContain("sk-secret");
  });

  it.each([0o620, 0o602])("that others can write (mode %o) is not used (SEC-9)", async (mode) => {
    const folder = await folderWith("ANTHROPIC_API_KEY=sk-secret\n");
    await chmod(join(folder, ".env.local"), mode);

    const { env, warnings } = await inHome(folder);

    expect(env).toEqual({});
    expect(warnings).toEqual([expect.stringMatching(/is not used: other users of this machine can write to it\./)]);
  });

  it("of another user is not used (SEC-9)", async () => {
    const folder = await folderWith("ANTHROPIC_API_KEY=sk-secret\n");
    const path = join(folder, ".env.local");
    const given = await chown(path, 65_534, 65_534).then(
      () => true,
      () => false,
    );

    const { env, warnings } = await inHome(folder);

    // Only root can give a file away.
    expect(given).toBe(process.getuid?.() === 0);
    expect(env).toEqual(given ? {} : { ANTHROPIC_API_KEY: "sk-secret" });
    expect(warnings).toEqual(given ? [`${path} is not used: it belongs to another user (65534).`] : []);
  });

  it("that is a link to a file of this user is used", async () => {
    const folder = await temporaryFolder();
    await symlink(join(await folderWith("GUILD_HALL_PORT=1\n"), ".env.local"), join(folder, ".env.local"));

    expect(await inHome(folder)).toMatchObject({ env: { GUILD_HALL_PORT: "1" }, warnings: [] });
  });

  it.each([
    ["a folder", (path: string) => mkdir(path)],
    ["a pipe", (path: string) => promisify(execFile)("mkfifo", [path])],
    ["a link to a device", (path: string) => symlink("/dev/zero", path)],
    ["endless", (path: string) => writeFile(path, "#".repeat(300_000))],
  ])("that is %s is left out with a warning, and passed over in a working directory", async (_what, make) => {
    const folder = await temporaryFolder();
    await make(join(folder, ".env.local"));

    const found = await inHome(folder);

    expect(found.env).toEqual({});
    expect(found.warnings).toEqual([expect.stringContaining("cannot be read and was left out")]);
    expect((await inWorkingFolder(folder)).warnings).toEqual([]);
  });
});
