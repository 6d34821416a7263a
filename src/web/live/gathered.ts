export type Gathered = {
  /** Something changed. */
  note(): void;
  /** While it is not wanted, what changed waits. */
  setWanted(isWanted: boolean): void;
  close(): void;
};

/** Works once on changes that come together. One that comes while that begins is another. */
export function createGathered(work: () => void, ms: number): Gathered {
  let isDue = false;
  let isWanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function rest(): void {
    clearTimeout(timer);
    timer = undefined;
  }
  function start(): void {
    if (!isDue || !isWanted) return;
    timer ??= setTimeout(() => {
      rest();
      isDue = false;
      work();
    }, ms);
  }

  return {
    note() {
      isDue = true;
      start();
    },
    setWanted(wanted) {
      isWanted = wanted;
      if (wanted) start();
      else rest();
    },
    close: rest,
  };
}
