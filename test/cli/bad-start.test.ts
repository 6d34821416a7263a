import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHallClient } from "../../src/client/hall-client.ts";
import { newSessionId } from "../../src/schema/ids.ts";
import { Problem } from "../../src/schema/problem.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { storeSessions } from "../web/stored-sessions.ts";
import { openHall, runCli } from "./run-cli.ts";
import { readOnlyFolder, smallDisk } from "./small-disk.ts";

describe("a hall that cannot start says why in one sentence and loses nothing", () => {
  it("with mistakes in config.yaml: file, line and key, all at once", async () => {
    const home = await temporaryFolder();
    const config = join(home, "config.yaml");
    const text = "host: 127.0.0.1\nprot: 80\nagent:\n  maxTurns: many\n";
    await writeFile(config, text);

    const result = await runCli(["serve", "--home", home]);

    expect(result).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr:
        `${config} line 2: unknown key "prot"; did you mean "port"?\n` +
        `${config} line 4: "agent.maxTurns" must be a whole number from 1 to 1000, not "many"\n`,
    });
    expect(await readFile(config, "utf8")).toBe(text);
    expect(await readdir(home)).toEqual(["config.yaml"]);
  });

  it("with mistakes in config.yaml and --json: as issues of one problem", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "config.yaml"), "prot: 80\n");

    const { code, stdout } = await runCli(["serve", "--home", home, "--json"]);

    expect(code).toBe(2);
    expect(Problem.parse(JSON.parse(stdout))).toMatchObject({
      code: "invalid_config",
      issues: [{ path: "prot", message: 'line 1: unknown key "prot"; did you mean "port"?' }],
    });
  });

  it("on a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo; // a TCP server has such an address

    const result = await runCli(["serve", "--home", join(await temporaryFolder(), "home"), "--port", String(port)]);

    expect(result).toMatchObject({ code: 4, stdout: "" });
    expect(sentences(result.stderr)).toEqual([expect.stringContaining(`Port ${port} on 127.0.0.1 is used by another program.`)]);
  });

  it("in a folder that cannot be written", async () => {
    const { folder, env } = await readOnlyFolder();
    const home = join(folder, "home");

    const result = await runCli(["serve", "--home", home, "--port", "0"], { env });

    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(sentences(result.stderr)).toEqual([
      expect.stringMatching(new RegExp(`^${home}.* cannot be used: it is on a read-only file system\\.`)),
    ]);
  });

  it("on a disk that is full", async () => {
    const { folder, env, fill } = await smallDisk();
    await fill();

    const result = await runCli(["serve", "--home", join(folder, "home"), "--port", "0"], { env });

    expect(result).toMatchObject({ code: 4, stdout: "" });
    expect(sentences(result.stderr)).toEqual([
      expect.stringMatching(/ was not written, because the disk is full\. .* Free some space and try again\.$/),
    ]);
  });

  it("where the home folder is a file, or something else lives there", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "mine");
    await mkdir(join(folder, "photos"));
    await writeFile(join(folder, "photos/cat.jpg"), "mine");

    const file = await runCli(["serve", "--home", join(folder, "file"), "--port", "0"]);
    const photos = await runCli(["serve", "--home", join(folder, "photos"), "--port", "0"]);

    expect(file.code).toBe(2);
    expect(sentences(file.stderr)).toEqual([expect.stringContaining(`${join(folder, "file")}`)]);
    expect(photos.code).toBe(2);
    expect(sentences(photos.stderr)).toEqual([expect.stringContaining("is not a home of Guild Hall")]);
    expect(await readdir(join(folder, "photos"))).toEqual(["cat.jpg"]);
  });

  it("on a home of a newer version, and of one whose version cannot be read", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "version"), "999\n");
    const newer = await runCli(["serve", "--home", home, "--port", "0"]);
    const doctor = await runCli(["doctor", "--home", home, "--json"]);
    await writeFile(join(home, "version"), "latest\n");
    const broken = await runCli(["serve", "--home", home, "--port", "0"]);

    expect(newer.code).toBe(4);
    expect(doctor.code).toBe(4);
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ id: "home", status: "fail" })]) as unknown,
    });
    expect(sentences(newer.stderr)).toEqual([expect.stringContaining("was written by a newer Guild Hall (format 999;")]);
    expect(broken.code).toBe(2);
    expect(sentences(broken.stderr)).toEqual([expect.stringContaining(`${join(home, "version")} is broken`)]);
    expect(await readFile(join(home, "version"), "utf8")).toBe("latest\n");
  });

  it("on a home that another hall has: with its process and its address", async () => {
    const home = join(await temporaryFolder(), "home");
    const first = await openHall(home);

    const second = await runCli(["serve", "--home", home, "--port", "0"]);
    const doctor = await runCli(["doctor", "--home", home, "--port", new URL(first.url).port]);

    expect(second).toMatchObject({ code: 4, stdout: "" });
    expect(sentences(second.stderr)).toEqual([expect.stringContaining(`by process ${first.child.pid}, at ${first.url}.`)]);
    expect(doctor.stdout).toContain(`a hall runs on it at ${first.url} (process ${first.child.pid})`);
    expect(doctor.stdout).toContain("is in use by this hall.");
    await expect(createHallClient({ baseUrl: first.url }).health()).resolves.toMatchObject({ status: "ok" });
  });
});

describe("a hall that runs into trouble", () => {
  it("keeps serving on a full disk, refuses what it cannot keep, and accepts it when there is room again", async () => {
    const { folder, env, fill, free } = await smallDisk();
    const hall = await openHall(join(folder, "home"), { env });
    const client = createHallClient({ baseUrl: hall.url });
    const kept = await client.sessions.create({ name: "kept" });

    await fill();
    await expect(client.sessions.create({ name: "too much" })).rejects.toMatchObject({ code: "disk_full" });
    const meanwhile = await client.sessions.list();
    await free();
    const later = await client.sessions.create({ name: "later" });

    expect(meanwhile.sessions.map(({ id }) => id)).toEqual([kept.id]);
    expect((await client.sessions.list()).sessions.map(({ id }) => id).toSorted()).toEqual([kept.id, later.id]);
  });

  it("shows a session whose file somebody broke as one with an error, and leaves the file alone", async () => {
    const home = join(await temporaryFolder(), "home");
    const id = newSessionId();
    await storeSessions(home, [{ id, name: "mine" }]);
    const file = join(home, "sessions", id, "session.json");
    await writeFile(file, '{ "name": "half');

    const hall = await openHall(home);
    const { sessions } = await createHallClient({ baseUrl: hall.url }).sessions.list();

    expect(sessions).toMatchObject([{ id, status: "error", error: { code: "file_broken" } }]);
    expect(await readFile(file, "utf8")).toBe('{ "name": "half');
  });
});

/** The lines of what was said; one of them where all went as it should, and never a stack trace. */
const sentences = (stderr: string): string[] => stderr.trimEnd().split("\n");
