import type { ReactNode } from "react";
import { MemberScreen } from "../../../../components/screens/member.tsx";
import { readMember } from "./read-member.ts";

type Props = { params: Promise<{ member: string }>; children: ReactNode };

export default async function MemberLayout({ params, children }: Props) {
  const member = await readMember((await params).member);
  return (
    <MemberScreen key={member.folder} initial={member}>
      {children}
    </MemberScreen>
  );
}
