import { describe, expect, it } from "vitest";
import { JobId } from "../../schema/job.ts";
import { chooseQuestion } from "./answer.ts";

const jobId = JobId.parse("tides");
const answer = { text: "Yes.", at: "2026-01-01T00:00:00Z", followUp: JobId.parse("more-tides") };
const open = (question: string) => ({ question, isOpen: true, answer: null, dismissedAt: null });
const answered = (question: string) => ({ question, isOpen: false, answer, dismissedAt: null });
const unsent = (question: string) => ({ ...open(question), answer: { ...answer, followUp: null } });

describe("the question that is answered", () => {
  const asked = [answered("Which sea?"), open("Which harbour?"), open("Which year?")];

  it.each([
    ["the only open one", [answered("Which sea?"), open("Which year?")], undefined, "Which year?"],
    ["one whose answer never left", [answered("Which sea?"), unsent("Which year?")], undefined, "Which year?"],
    ["the only one, although it was answered", [answered("Which sea?")], undefined, "Which sea?"],
    ["the only one, where it is answered and named", [answered("Which sea?")], "1", "Which sea?"],
    ["the one of this number", asked, "2", "Which harbour?"],
    ["the one with these words", asked, "YEAR", "Which year?"],
    // Giving the same answer again is harmless, and the hall says so where it is another.
    ["one that was answered, where it is named", asked, "sea", "Which sea?"],
  ])("is %s", (_which, questions, wanted, question) => {
    expect(chooseQuestion({ asked: questions, jobId }, wanted)).toBe(question);
  });

  it.each([
    ["several are open", asked, undefined, "bad_request"],
    ["several have these words", asked, "which", "bad_request"],
    ["none is like that", asked, "4", "not_found"],
    ["all are answered", [answered("Which sea?"), answered("Which year?")], undefined, "conflict"],
    ["none was asked", [], "1", "conflict"],
  ])("has to be said better where %s", (_why, questions, wanted, code) => {
    expect(() => chooseQuestion({ asked: questions, jobId }, wanted)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
