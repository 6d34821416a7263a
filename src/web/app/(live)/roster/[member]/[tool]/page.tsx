import type { Metadata } from "next";
import { MemberToolScreen } from "../../../../../components/screens/member-tool.tsx";
import { readMember } from "../read-member.ts";

type Props = { params: Promise<{ member: string; tool: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { member, tool } = await params;
  return { title: `${decodeURIComponent(tool)}, ${(await readMember(member)).displayName}` };
}

export default async function MemberToolPage({ params }: Props) {
  return <MemberToolScreen name={decodeURIComponent((await params).tool)} />;
}
