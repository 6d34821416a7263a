import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { processesIn } from "../faults/processes.ts";
import { rawRequest } from "../raw-request.ts";
import type { HallProcess } from "../running-hall.ts";
import { recordOf, secrets } from "./closed-hall.ts";
import type { ClosedHall } from "./closed-hall.ts";
import { listenersOf } from "./listeners.ts";

const { token, key, planted } = secrets;

/** What runs: the ports it listens on, whom it answers, what it was given, and whether it ends. Only where there is /proc. */
export function attackProcesses(running: () => ClosedHall): void {
  let hall: HallProcess;
  let model: ScriptedModel;

  beforeAll(() => {
    ({ hall, model } = running());
  });

  describe.runIf(process.platform === "linux")("what a hall has running", () => {
    it("listens on loopback alone, and no port of it answers to another name or another site (SEC-1, SEC-2, SEC-3, SEC-4)", async () => {
      const listeners = await listenersOf(await processesIn(hall.home));
      expect(listeners.length).toBeGreaterThanOrEqual(4);

      for (const { address, port } of listeners) {
        const url = `http://127.0.0.1:${port}`;
        const ask = async (path: string, headers: Record<string, string>) =>
          (await rawRequest(url, { method: "POST", path, headers: { "content-type": "application/json", ...headers }, body: "{}" })).status;

        expect(address).toBe("127.0.0.1");
        for (const path of ["/", "/mcp", "/v1/messages"]) {
          expect([port, path, await ask(path, { host: `evil.example:${port}` })]).toEqual([port, path, 421]);
          expect([port, path, await ask(path, { origin: "http://evil.example" })]).toEqual([port, path, 403]);
          expect([port, path, await ask(path, { "sec-fetch-site": "cross-site" })]).toEqual([port, path, 403]);
        }
      }
    });

    it("answers to the hall alone: another user of this machine calls no tool and dispatches no job (SEC-4, SEC-16)", async () => {
      const [example, researcher] = [await recordOf(hall, "example"), await recordOf(hall, "researcher")];
      const call = { method: "tools/call", params: { name: "tell_time", arguments: {} } };
      const dispatch = { method: "worker/dispatch", params: { description: "x", task: "hang" } };
      const strangers: Record<string, string>[] = [
        {},
        { "guild-hall-member": "" },
        { "guild-hall-member": "undefined" },
        { authorization: `Bearer ${token}`, "guild-hall-member": token },
      ];

      for (const headers of [...strangers, { "guild-hall-member": researcher.mark }])
        expect([headers, (await askDirectly(example.port, call, headers)).status]).toEqual([headers, 401]);
      for (const headers of [...strangers, { "guild-hall-member": example.mark }])
        expect([headers, (await askDirectly(researcher.port, dispatch, headers)).status]).toEqual([headers, 401]);

      const owner = await askDirectly(researcher.port, { method: "worker/list", params: {} }, { "guild-hall-member": researcher.mark });
      expect([owner.status, JSON.parse(owner.body)]).toMatchObject([200, { result: { jobs: [] } }]);
      expect(example.mark).not.toBe(researcher.mark);
    });

    it("holds the token and the rest of our environment nowhere, and the key only where a model is asked; stop ends it all (SEC-9, SEC-17)", async () => {
      const before = await processesIn(hall.home);
      const { id } = await hall.client.sessions.create({ name: "Hangs" });
      const { jobId } = await hall.client.jobs.dispatch("researcher", { description: "Hangs", task: "hang" });
      await hall.client.sessions.send(id, "hang");
      await model.waitForRequest(({ conversation }) => conversation.system.includes("main agent of a session"));
      await model.waitForRequest(({ conversation }) => !conversation.system.includes("main agent of a session"));
      const pids = await processesIn(hall.home);
      const agents = pids.filter((pid) => !before.includes(pid));
      const children = pids.filter((pid) => pid !== hall.process.pid);

      const environments = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")));
      const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
      const withKey = children.filter((_, index) => environments[index]?.includes(key));
      const [{ pid: example }, { pid: researcher }] = [await recordOf(hall, "example"), await recordOf(hall, "researcher")];

      expect(agents.length).toBeGreaterThanOrEqual(2);
      for (const secret of [token, planted]) expect(environments.join("\n")).not.toContain(secret);
      for (const secret of [token, planted, key]) expect(commands.join("\n")).not.toContain(secret);
      expect(withKey).toEqual(expect.arrayContaining([researcher, ...agents]));
      expect(withKey).not.toContain(example);

      await hall.client.jobs.cancel("researcher", jobId);
      await hall.client.sessions.stop(id);

      await expect.poll(async () => (await processesIn(hall.home)).filter((pid) => agents.includes(pid))).toEqual([]);
      expect((await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "stopped" } });
      expect((await hall.client.jobs.get("researcher", jobId)).status).toBe("cancelled");
    });
  });
}

const askDirectly = (port: number, message: object, headers: Record<string, string>) =>
  rawRequest(`http://127.0.0.1:${port}`, {
    method: "POST",
    path: "/mcp",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
