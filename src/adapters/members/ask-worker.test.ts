import { describe, expect, it } from "vitest";
import { setMemberStage } from "./member-stage.testing.ts";
import { playedWorker } from "./played-worker.testing.ts";

const job = (description: string) => ({ description, task: "result Done." });

describe("asking a worker over its connection", () => {
  it("answers what it said, whatever else comes in place of an answer is told apart, and the worker goes on (REQ-WD-35)", async () => {
    const { launch } = await setMemberStage({ limits: { startsAtOnce: 4, handshakeMs: 60_000, callMs: 60_000, workerMs: 500 } });
    const worker = launch(playedWorker());
    await worker.connected;
    const dispatch = (description: string) => worker.askWorker("worker/dispatch", job(description));

    await expect(dispatch("play: bad settings")).rejects.toMatchObject({
      code: "bad_request",
      message: 'There is no setting "colour".',
      details: { kind: "protocol" },
    });
    await expect(dispatch("play: another error")).rejects.toMatchObject({
      code: "member_failed",
      message: `${worker.name} failed to answer worker/dispatch: The moon is in the way.`,
      details: { kind: "protocol" },
    });
    await expect(dispatch("play: HTTP 500")).rejects.toMatchObject({
      code: "member_failed",
      message: /It broke|500/,
      details: { kind: "http" },
    });
    await expect(dispatch("play: no answer")).rejects.toMatchObject({
      code: "tool_timeout",
      message: /no answer to worker\/dispatch within 0.5 s/,
      details: { kind: "timeout" },
    });
    await expect(worker.askWorker("worker/dream", {})).rejects.toMatchObject({
      code: "member_failed",
      message: /does not know worker\/dream/,
      details: { kind: "protocol" },
    });

    expect(await dispatch("good")).toMatchObject({ jobId: expect.any(String) as string });
    expect(worker.workerOffers()).toEqual({ events: true, artifacts: true });
  });

  it("is given up where nobody wants the answer, and told the reason where the worker dies of it", async () => {
    const { launch } = await setMemberStage();
    const worker = launch(playedWorker({ additions: false }));
    await worker.connected;
    const stopping = new AbortController();

    const stopped = worker.askWorker("worker/dispatch", job("play: no answer"), stopping.signal);
    stopping.abort();

    await expect(stopped).rejects.toMatchObject({ code: "stopped" });
    expect(worker.workerOffers()).toEqual({ events: false, artifacts: false });
    await expect(worker.askWorker("worker/dispatch", job("play: die"))).rejects.toMatchObject({
      code: "member_failed",
      message: expect.stringContaining("while it worked on worker/dispatch, with exit code 7") as string,
      details: { kind: "lost" },
    });
    await expect(worker.askWorker("worker/list", {})).rejects.toMatchObject({ code: "member_unavailable" });
  });
});
