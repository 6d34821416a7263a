import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Workshop } from "../../../../components/screens/workshop.tsx";
import { hall } from "../../../../hall.ts";
import { HallError } from "../../../../../schema/hall-error.ts";
import { SessionId } from "../../../../../schema/ids.ts";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { session } = await readSession((await params).id);
  return { title: session.name };
}

export default async function SessionPage({ params }: Props) {
  const [detail, { model }] = await Promise.all([readSession((await params).id), hall().health()]);
  return <Workshop key={detail.session.id} detail={detail} model={model} />;
}

/** Page and title ask for the same session: it is read once per request. */
const readSession = cache(async (id: string) => {
  const known = SessionId.safeParse(id);
  if (!known.success) notFound();
  try {
    return await hall().sessions.get(known.data);
  } catch (error) {
    if (error instanceof HallError && error.code === "not_found") notFound();
    throw error;
  }
});
