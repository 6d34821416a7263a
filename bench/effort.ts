/** How much is measured: everything, or in a trial a tenth of it, which only shows that the measuring works. */
export type Effort = {
  isTrial: boolean;
  /** How often, where everything is so often. At least twice, so that the first time can be left out. */
  rounds(full: number): number;
  /** How large, where everything is so large. */
  size(full: number): number;
  /** For how long a hall is watched that has nothing to do. */
  minutes: number;
};

/** How a person says it. */
export const effortOptions = {
  trial: { type: "boolean", default: false },
  minutes: { type: "string", default: "20" },
} as const;

export const createEffort = ({ trial, minutes }: { trial: boolean; minutes: string }): Effort => ({
  isTrial: trial,
  rounds: (full) => (trial ? Math.max(2, Math.ceil(full / 10)) : full),
  size: (full) => (trial ? Math.ceil(full / 10) : full),
  minutes: Number(minutes),
});
