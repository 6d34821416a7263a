import type { FoundMember } from "../../core/roster/member-folders.ts";
import { sortOutNames } from "../../core/roster/sort-out-names.ts";
import type { Finding } from "./finding.ts";

/** What the folders alone say; whether a member starts is seen in the Roster. */
export function checkMembers(found: readonly FoundMember[]): Finding {
  const members = sortOutNames(found, new Map());
  if (members.length === 0) return { status: "info", detail: "None yet." };
  const sound = members.filter(({ problem }) => problem === null);
  const problems = members.flatMap(({ problem }) => problem ?? []);
  const names = sound.map(({ found: { folder } }) => folder).join(", ");
  const notes = sound.flatMap(({ found: { folder, note } }) => (note === undefined ? [] : [`${folder}: ${note}`]));
  const detail = [`${sound.length}${names === "" ? "" : `: ${names}`}.`, ...notes, ...problems].join("\n");
  if (problems.length === 0) return { status: "ok", detail };
  const count = problems.length === 1 ? "One cannot be used" : `${problems.length} cannot be used`;
  return { status: "warn", detail, advice: `${count}: put right what is said above. A running hall notices by itself.` };
}
