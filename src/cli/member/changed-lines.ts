/** What became of some lines: `- ` before those that went, `+ ` before those that came, with a line of what stayed around them. */
export function changedLines(before: readonly string[], now: readonly string[]): string[] {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start += 1;
  let end = 0;
  const isSame = () => before[before.length - 1 - end] === now[now.length - 1 - end];
  while (end < before.length - start && end < now.length - start && isSame()) end += 1;
  return [
    ...now.slice(Math.max(0, start - 1), start).map((line) => `  ${line}`),
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
    ...now.slice(now.length - end, now.length - end + 1).map((line) => `  ${line}`),
  ];
}
