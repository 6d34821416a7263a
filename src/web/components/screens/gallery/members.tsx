"use client";

import { glanceAt } from "../../../live/member-glance.ts";
import { Checkbox } from "../../elements/checkbox.tsx";
import { CommandParts } from "../../groups/command-parts.tsx";
import { MemberChoice } from "../../groups/choose-members.tsx";
import { ToolChange } from "../../groups/member-changes.tsx";
import { MemberRow } from "../../groups/member-row.tsx";
import { MemberSteps } from "../../groups/member-steps.tsx";
import { Remark, Stack } from "./arrange.tsx";
import { changedTool, failedMember, sampleMembers } from "./sample-members.ts";

export const MemberSamples = () => (
  <div className="overflow-hidden rounded-3 border border-line bg-surface">
    {sampleMembers.map((member) => (
      <MemberRow key={member.folder} member={glanceAt(member)} hasPage />
    ))}
  </div>
);

export const StepSamples = () => (
  <Stack>
    <MemberSteps steps={failedMember.steps} />
    <Remark>A connection that fails says how far it came. A member that speaks over stdio does not listen.</Remark>
  </Stack>
);

export const CommandSamples = () => (
  <Stack>
    <CommandParts parts={["npx", "-y", "@scope/server", "", "my notes.json", "evil\u202etxt.exe"]} />
    <Remark>One argument to a line. What cannot be seen is shown as a sign.</Remark>
  </Stack>
);

export const ChangedToolSamples = () => <ToolChange tool={changedTool} accept={async () => true} />;

export const ChoiceOfMembersSamples = () => (
  <Stack>
    {sampleMembers.map((member) => (
      <Checkbox key={member.folder} isUnavailable={member.status !== "connected"}>
        <MemberChoice member={glanceAt(member)} />
      </Checkbox>
    ))}
  </Stack>
);
