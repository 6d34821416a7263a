import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createGathered } from "./gathered.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("works once on changes that come together, also where they do not end", () => {
  const work = vi.fn();
  const { note, setWanted } = createGathered(work, 100);
  setWanted(true);

  for (let at = 0; at < 30; at += 1) {
    note();
    vi.advanceTimersByTime(10);
  }

  expect(work).toHaveBeenCalledTimes(3);
});

it("works again on a change that comes in the moment in which it begins", () => {
  let left = 1;
  const work = vi.fn(() => {
    if (left > 0) gathered.note();
    left -= 1;
  });
  const gathered = createGathered(work, 100);
  gathered.setWanted(true);
  gathered.note();

  vi.advanceTimersByTime(1000);

  expect(work).toHaveBeenCalledTimes(2);
});

it("keeps what changes while it is not wanted, and has nothing to do where nothing changed", () => {
  const work = vi.fn();
  const { note, setWanted } = createGathered(work, 100);
  note();
  vi.advanceTimersByTime(1000);
  const unwanted = work.mock.calls.length;
  setWanted(true);
  vi.advanceTimersByTime(1000);
  const wanted = work.mock.calls.length;
  setWanted(false);
  setWanted(true);
  vi.advanceTimersByTime(1000);

  expect([unwanted, wanted, work.mock.calls.length]).toEqual([0, 1, 1]);
});

it("does nothing more once it is closed", () => {
  const work = vi.fn();
  const { note, setWanted, close } = createGathered(work, 100);
  setWanted(true);
  note();

  close();
  vi.advanceTimersByTime(1000);

  expect(work).not.toHaveBeenCalled();
});
