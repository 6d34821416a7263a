import fc from "fast-check";
import { expect, it } from "vitest";
import type { Member } from "../../schema/roster.ts";
import { member, setRosterStage, tool } from "./roster-stage.testing.ts";

type Stage = ReturnType<typeof setRosterStage>;

/** Whatever can happen to a member, from inside and from outside, at any moment. */
const happenings: Record<string, (stage: Stage) => unknown> = {
  connect: ({ lives }) => lives.at(-1)?.connect(tool("write")),
  crash: ({ lives }) => lives.at(-1)?.crash(),
  goes: ({ lives }) => lives.find(({ isEnding, isOver }) => isEnding && !isOver())?.letGo(),
  restart: ({ roster }) => roster.restart("scribe").catch(() => undefined),
  wanted: ({ roster }) => void roster.offersFor(["scribe"]),
  second: ({ pass }) => pass(1000),
  minutes: ({ pass }) => pass(300_000),
  edited: ({ putFolders, lives }) => putFolders([member("scribe", { version: `${lives.length}.0.0` })]),
  away: ({ putFolders }) => putFolders([]),
};

it("has one life of a member at a time, tells the truth about it, and leaves none, whatever happens in whatever order", async () => {
  const names = fc.constantFrom(...Object.keys(happenings));
  await fc.assert(
    fc.asyncProperty(fc.array(names, { maxLength: 25 }), async (story) => {
      const stage = setRosterStage([member("scribe")], { endsAtOnce: false });
      await stage.start();

      for (const name of story) {
        await happenings[name]?.(stage);
        await stage.settle();

        const alive = stage.lives.filter(({ isOver }) => !isOver());
        expect(alive.length).toBeLessThanOrEqual(1);
        expect(stage.roster.list().filter((shown) => !isTrue(shown, alive.length))).toEqual([]);
      }
      const closing = stage.roster.close();
      for (const life of stage.lives) life.letGo();
      await closing;
      await stage.pass(600_000);

      expect(stage.lives.every(({ isOver }) => isOver())).toBe(true);
    }),
    { numRuns: 60 },
  );
});

/** Connected means that it lives; an error has a reason, and nothing else has. */
const isTrue = ({ status, error }: Member, alive: number): boolean =>
  (status !== "connected" || alive === 1) && (status === "error") === (error !== null);
