import type { Metadata } from "next";
import { cookies } from "next/headers";
import { SettingsScreen } from "../../../components/screens/settings.tsx";
import { hall } from "../../../hall.ts";
import { preferencesFrom } from "../../../preferences.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const jar = await cookies();
  const [health, { checks }, spending, runs, disk] = await Promise.all([
    hall().health(),
    hall().doctor(),
    hall().spending.get(),
    hall().runs.state(),
    hall().disk(),
  ]);
  const preferences = preferencesFrom((name) => jar.get(name)?.value);
  return <SettingsScreen preferences={preferences} health={health} checks={checks} spending={spending} runs={runs} disk={disk} />;
}
