import { describe, expect, it } from "vitest";
import type { HallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { Session } from "../../schema/session.ts";
import { sessionWith } from "../../schema/session.testing.ts";
import { findSession } from "./find-session.ts";

/** A hall that gives one session per page, and finds by name as the real one does. */
function hallWith(...sessions: Session[]): Pick<HallClient["sessions"], "get" | "list"> {
  return {
    async get(id) {
      const session = sessions.find((each) => each.id === id);
      if (session === undefined) throw new HallError("not_found", `There is no session ${id}.`);
      return { session, messages: [], nextCursor: null };
    },
    async list({ cursor = "0", q } = {}) {
      const at = Number(cursor);
      const named = sessions.filter(({ name }) => q === undefined || name.toLowerCase().includes(q.toLowerCase()));
      return { sessions: named.slice(at, at + 1), nextCursor: at + 1 < named.length ? String(at + 1) : null, counts: null };
    },
  };
}

describe("the session a person means", () => {
  const notes = sessionWith({ name: "Release notes" });
  const plan = sessionWith({ name: "Release plan" });
  const release = sessionWith({ name: "Release" });
  const hall = hallWith(notes, plan);

  it.each([
    ["by its id", plan.id],
    ["by a part of its name in any case", "PLAN"],
    ["by its whole name", "Release plan"],
  ])("is found %s, on whatever page it is", async (_how, wanted) => {
    expect(await findSession(hall, wanted)).toEqual(plan);
  });

  it("is found by the beginning of its id", async () => {
    const early = sessionWith({ id: "ses_01arz3ndektsv4rrffq69g5fav" as Session["id"] }); // well-formed

    expect(await findSession(hallWith(notes, early), "ses_01ar")).toEqual(early);
  });

  it("is the one that has exactly this name, though others have it as a part", async () => {
    expect(await findSession(hallWith(notes, release, plan), "Release")).toEqual(release);
  });

  it("is asked for again with all that fit where there are several", async () => {
    const refusal = findSession(hall, "release");

    await expect(refusal).rejects.toMatchObject({ code: "bad_request" });
    await expect(refusal).rejects.toThrow(
      `"release" may be any of 2 sessions. Use the id of one:\n  ${notes.id}  idle  Release notes\n  ${plan.id}`,
    );
  });

  it("cannot write to the terminal by its name", async () => {
    const evil = [sessionWith({ name: "x\u001b[2J" }), sessionWith({ name: "xx" })];

    await expect(findSession(hallWith(...evil), "x")).rejects.toThrow(String.raw`x\u{1b}[2J`);
  });

  it.each(["nothing like it", "ses_zzz"])("is not found where none fits: %s", async (wanted) => {
    await expect(findSession(hall, wanted)).rejects.toMatchObject({ code: "not_found" });
  });

  it("has to be named", async () => {
    await expect(findSession(hall, " ")).rejects.toMatchObject({ code: "bad_request" });
  });
});
