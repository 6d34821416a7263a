"use client";

import type { Member } from "../../../schema/roster.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { Confirmed } from "./confirm-dialog.tsx";

export const RemoveMemberDialog = ({ member, ...confirmed }: Confirmed & { member: Member }) => (
  <ConfirmDialog {...confirmed} title="Remove this member?" keep="Keep it" confirm="Remove member">
    <p>
      <b>
        <bdi>{member.displayName}</bdi>
      </b>{" "}
      is stopped and leaves the Roster. Sessions that have it go on without its tools.
    </p>
    <p>
      Nothing is deleted: its folder moves from <code>guild-members/{member.folder}</code> to <code>removed-members/</code> in the hall’s
      home folder, with everything it has stored. Move it back to have the member again.
    </p>
  </ConfirmDialog>
);
