import { useState } from "react";

/** Keys that go with the items of a list wherever they are moved, so that what is typed and where the focus is goes too. */
export function useItemKeys(length: number) {
  const [keys, setKeys] = useState<readonly number[]>([]);
  const of = (index: number): number => keys[index] ?? index - keys.length + 1 + Math.max(-1, ...keys);
  const all = () => Array.from({ length }, (_, index) => of(index));
  const move = (from: number, to: number | null) => {
    const [before, key] = [all().toSpliced(from, 1), of(from)];
    setKeys(to === null ? before : before.toSpliced(to, 0, key));
  };
  return { of, move };
}
