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

export const createEffort = ({ isTrial, minutes }: { isTrial: boolean; minutes: number }): Effort => ({
  isTrial,
  rounds: (full) => (isTrial ? Math.max(2, Math.ceil(full / 10)) : full),
  size: (full) => (isTrial ? Math.ceil(full / 10) : full),
  minutes,
});
