type ProcStat = Record<"state" | "parent" | "group" | "started", string | undefined>;

/** What `/proc/<pid>/stat` says of a process. `started` is only to be compared; it is missing where the text is none of that file. */
export function readProcStat(text: string): ProcStat {
  // The second field is the program's name in parentheses, and a name may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0], parent: fields[1], group: fields[2], started: fields[19] };
}
