import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findDeathSignal } from "../../../guild-members/researcher/death-signal.ts";
import { createDeathSignal } from "./death-signal.ts";
import { isRunning } from "../members/member-stage.testing.ts";

const words = await createDeathSignal(process.env)();
const isLinux = process.platform === "linux";
const sleeps = "setInterval(() => {}, 1000)";

/** A process that starts a program behind the words, prints its pid and waits to be killed. */
async function startParent(before: readonly string[]) {
  const command = [...before, process.execPath, "-e", sleeps];
  const starts = `const [command, ...args] = ${JSON.stringify(command)};
    console.log(require("node:child_process").spawn(command, args, { stdio: "ignore", detached: true }).pid); ${sleeps}`;
  const parent = spawn(process.execPath, ["-e", starts], { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = (await once(parent.stdout, "data")) as [Buffer]; // as a stream without an encoding gives it
  const child = Number(printed);
  onTestFinished(() => {
    parent.kill("SIGKILL");
    if (isRunning(child)) process.kill(child, "SIGKILL");
  });
  return { parent, child };
}

/** A program at the head of a group, with an environment that is known. */
async function run([command = "", ...args]: readonly string[]) {
  const env = { PATH: process.env["PATH"], NODE_ENV: "test" } as const;
  const child = spawn(command, args, { env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const said = await text(child.stdout);
  const [code] = (await exited) as [number | null]; // as Node documents "exit"
  return { pid: child.pid, code, said };
}

describe("the words of the death signal", () => {
  it("kill a program with the process that started it (SEC-17)", async () => {
    const { parent, child } = await startParent(words);

    parent.kill("SIGKILL");

    expect(words).toHaveLength(isLinux ? 4 : 0);
    await vi.waitUntil(() => !isLinux || !isRunning(child));
  });

  it.runIf(isLinux)("are looked for again after a failure that may pass, and not after a refusal (SEC-17)", async () => {
    const folder = await temporaryFolder();
    const setpriv = join(folder, "setpriv");
    const PATH = `${folder}:${process.env["PATH"]}`;
    await writeFile(setpriv, `#!/bin/sh\nkill -9 $$\n`, { mode: 0o755 });
    const [passing, refusing] = [createDeathSignal({ PATH }), createDeathSignal({ PATH })];
    const first = await passing();
    await writeFile(setpriv, "#!/bin/sh\nexit 1\n");
    const refused = await refusing();
    await writeFile(setpriv, "#!/bin/sh\nexit 0\n");

    expect([first, refused]).toEqual([[], []]);
    expect(await passing()).toEqual([setpriv, "--pdeathsig", "KILL", "--"]);
    expect(await refusing()).toEqual([]);
  });

  it("are the same in the bundled worker", async () => {
    const ofWorker = await findDeathSignal();

    expect(ofWorker.slice(1)).toEqual(words.slice(1));
  });

  it("leave pid, group, environment and exit code to the program", async () => {
    const script = "cut -d' ' -f1,5 /proc/$$/stat; env; exit 7";
    const plain = await run(["/bin/sh", "-c", script]);

    const { pid, code, said } = await run([...words, "/bin/sh", "-c", script]);

    const [ids, ...variables] = said.split("\n");
    expect([code, ids]).toEqual([7, `${pid} ${pid}`]);
    expect(variables.toSorted()).toEqual(plain.said.split("\n").slice(1).toSorted());
  });
});

describe("the probe", () => {
  it.each([
    ["has no setpriv", null],
    ["has one that does not know the option", "exit 1"],
  ])("finds no words on a system that %s", async (_what, body) => {
    const PATH = await temporaryFolder();
    if (body !== null) await writeFile(join(PATH, "setpriv"), `#!/bin/sh\n${body}\n`, { mode: 0o755 });

    expect(await createDeathSignal({ PATH })()).toEqual([]);
  });

  it("runs setpriv once", async () => {
    const PATH = await temporaryFolder();
    const calls = join(PATH, "calls");
    await writeFile(join(PATH, "setpriv"), `#!/bin/sh\necho "$@" >> ${calls}\n`, { mode: 0o755 });
    const deathSignal = createDeathSignal({ PATH });

    const found = await Promise.all([deathSignal(), deathSignal()]);

    const setpriv = join(PATH, "setpriv");
    expect(found).toEqual([0, 1].map(() => (isLinux ? [setpriv, "--pdeathsig", "KILL", "--"] : [])));
    expect(await readFile(calls, "utf8").catch(() => "")).toBe(isLinux ? `--pdeathsig KILL -- ${setpriv} --version\n` : "");
  });
});
