import type { Metadata } from "next";
import { MemberOverview } from "../../../../components/screens/member-overview.tsx";
import { hall } from "../../../../hall.ts";
import { readMember } from "./read-member.ts";

type Props = { params: Promise<{ member: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await readMember((await params).member)).displayName };
}

export default async function MemberPage({ params }: Props) {
  const { name } = await readMember((await params).member);
  const { sessions, nextCursor } = await hall().sessions.list({ member: name, limit: 20 });
  return <MemberOverview sessions={sessions} hasMore={nextCursor !== null} />;
}
