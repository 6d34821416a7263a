import type { Metadata } from "next";
import { cookies } from "next/headers";
import { SettingsScreen } from "../../../components/screens/settings-screen.tsx";
import { hall } from "../../../hall.ts";
import { preferencesFrom } from "../../../preferences.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const jar = await cookies();
  const [health, { checks }] = await Promise.all([hall().health(), hall().doctor()]);
  return <SettingsScreen preferences={preferencesFrom((name) => jar.get(name)?.value)} health={health} checks={checks} />;
}
