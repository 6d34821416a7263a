import { createLayout } from "../src/adapters/files/layout.ts";
import { createMemberRecords } from "../src/adapters/files/members/member-records.ts";
import { endOrphans } from "../src/adapters/processes/end-orphans.ts";
import { createProcessFamilies } from "../src/adapters/processes/process-families.ts";

/** A hall that is killed leaves its members to the next one. Here none comes. */
export async function endMembersOf(home: string): Promise<void> {
  const onProblem = (error: unknown) => {
    throw error;
  };
  await endOrphans(createMemberRecords({ layout: createLayout(home), onProblem }), createProcessFamilies());
}
