import type { Schedule } from "../../core/schedule.ts";

export const schedule: Schedule = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};
