import { Board } from "../../components/screens/board.tsx";
import { FirstRun } from "../../components/screens/first-run.tsx";
import { hall } from "../../hall.ts";

export default async function HallPage() {
  const { sessions, nextCursor } = await hall().sessions.list({ limit: 100 });
  if (sessions.length > 0) return <Board sessions={sessions} isWhole={nextCursor === null} />;
  const [{ model }, { checks }] = await Promise.all([hall().health(), hall().doctor()]);
  return <FirstRun model={model} checks={checks} />;
}
