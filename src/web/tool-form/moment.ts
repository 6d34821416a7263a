/** A date with a time, or a time, as its two halves: what a clock on the wall shows, and the zone it hangs in. */
export type Moment = { wall: string; zone: string };

/** Only what the browser's own control can hold without losing a digit; anything else stays text. */
export function momentOf(format: "date-time" | "time", text: string): Moment | null {
  const [, wall, zone] = (format === "time" ? time : dateTime).exec(text) ?? [];
  return wall === undefined || zone === undefined ? null : { wall, zone };
}

/** The control leaves out seconds that are zero; the format wants them. */
export const momentText = ({ wall, zone }: Moment): string =>
  wall === "" ? "" : `${/:\d\d:\d\d/.test(wall) ? wall : `${wall}:00`}${zone}`;

export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

const dateTime = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(Z|[+-]\d{2}:\d{2})$/;
const time = /^(\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(Z|[+-]\d{2}:\d{2})$/;
