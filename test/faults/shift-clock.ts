import { readFileSync } from "node:fs";

/** Loaded into a hall before anything else: its clock is wrong by as many milliseconds as the file `CLOCK_SHIFT` says at the moment. */
const file = process.env["CLOCK_SHIFT"];
const TrueDate = Date;

function shiftMs(path: string): number {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return 0;
  }
}

if (file !== undefined) {
  const now = (): number => TrueDate.now() + shiftMs(file);
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, given: unknown[], made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
    apply: () => new TrueDate(now()).toString(),
    get: (target, name, receiver) => (name === "now" ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
}
