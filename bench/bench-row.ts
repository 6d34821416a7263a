/** One measurement beside the thing it is compared with. `ratio` is ours over the baseline, null where there is nothing to compare with. */
export type BenchRow = { name: string; ours: string; baseline: string; ratio: number | null; budget: string; holds: boolean };
