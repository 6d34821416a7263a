import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createWatchdog } from "./watchdog.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch() {
  const onSilent = vi.fn<() => void>();
  return { onSilent, dog: createWatchdog(1_000, onSilent) };
}

it("barks once after the silence, which every sign of life begins anew", () => {
  const { dog, onSilent } = watch();

  vi.advanceTimersByTime(900);
  dog.touch();
  vi.advanceTimersByTime(999);
  expect(onSilent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  vi.advanceTimersByTime(10_000);
  dog.touch();
  vi.advanceTimersByTime(10_000);

  expect(onSilent).toHaveBeenCalledTimes(1);
});

it("allows silence that was announced", () => {
  const { dog, onSilent } = watch();

  dog.touch(5_000);
  vi.advanceTimersByTime(5_999);
  expect(onSilent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);

  expect(onSilent).toHaveBeenCalledTimes(1);
});

it("sleeps while any pause is open, whatever is touched meanwhile", () => {
  const { dog, onSilent } = watch();

  const [resumeOne, resumeTwo] = [dog.pause(), dog.pause()];
  dog.touch();
  vi.advanceTimersByTime(100_000);
  resumeOne();
  resumeOne();
  vi.advanceTimersByTime(100_000);
  expect(onSilent).not.toHaveBeenCalled();
  resumeTwo();
  vi.advanceTimersByTime(1_000);

  expect(onSilent).toHaveBeenCalledTimes(1);
});

it("is quiet after its end", () => {
  const { dog, onSilent } = watch();

  dog.end();
  dog.touch();
  dog.pause()();
  vi.advanceTimersByTime(10_000);

  expect(onSilent).not.toHaveBeenCalled();
});
