/** Things kept by pointer, after one item of the list at `list` went to another place (or away, with null). */
export function createRenumber(list: string, from: number, to: number | null) {
  return <Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(
      Object.entries(record).flatMap(([pointer, value]) => {
        const [, index, rest = ""] = pointer.startsWith(`${list}/`) ? (/^(\d+)(.*)$/s.exec(pointer.slice(list.length + 1)) ?? []) : [];
        if (index === undefined) return [[pointer, value]];
        const next = placeAfter(Number(index), from, to);
        return next === null ? [] : [[`${list}/${next}${rest}`, value]];
      }),
    );
}

function placeAfter(index: number, from: number, to: number | null): number | null {
  if (index === from) return to;
  const without = index > from ? index - 1 : index;
  return to !== null && without >= to ? without + 1 : without;
}
