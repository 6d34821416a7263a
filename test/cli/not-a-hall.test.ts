import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folderIdentity, hallRecord } from "../../src/adapters/files/hall-record.ts";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { identifyThisProcess } from "../../src/adapters/processes/process-identity.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";

/** What another program answers, by the address that it is asked at. */
const page = { status: 200, body: "<!doctype html><title>Another program</title>" };
let answers = page;
let address: string;

beforeAll(async () => {
  const server = createServer((_request, response) => void response.writeHead(answers.status).end(answers.body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
  return () => void server.close();
});

/** A home whose record names the address of another program. */
async function homeNaming(): Promise<string> {
  const layout = createLayout(join(await temporaryFolder(), "home"));
  await mkdir(layout.state, { recursive: true });
  const record = { process: await identifyThisProcess(), address, hallVersion: "0.1.0", since: new Date().toISOString() };
  await hallRecord.write(layout.hallRecord, { ...record, folder: await folderIdentity(layout.state) });
  return layout.home;
}

describe("a command whose hall is another program", () => {
  it.each([
    ["a page", page],
    ["a list", { status: 200, body: "[]" }],
    ["nothing", { status: 200, body: "" }],
    ["a page that says that it is not there", { ...page, status: 404 }],
    ["an error", { status: 500, body: "{}" }],
  ])("says so and ends with 5, whatever it is given: %s", async (_what, given) => {
    const home = await homeNaming();
    answers = given;

    for (const command of [
      ["status"],
      ["session", "list"],
      ["member", "list"],
      ["job", "list"],
      ["limit"],
      ["open"],
      ["job", "watch", "x", "y"],
      ["session", "tail", "x"],
    ]) {
      const { code, stdout, stderr } = await runCommand([...command, "--home", home]);

      expect({ command, code, stdout, stderr }).toEqual({
        command,
        code: 5,
        stdout: "",
        stderr: `Another program, or another version of Guild Hall, listens at ${address}. Stop it, or restart the hall: guild-hall serve\n`,
      });
    }
  });
});
