/** Does the work after so many milliseconds, unless what it answers is called before. */
export type Schedule = (ms: number, work: () => void) => () => void;
