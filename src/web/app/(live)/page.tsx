import { Board } from "../../components/screens/board.tsx";
import { FirstRun } from "../../components/screens/first-run.tsx";
import { hall } from "../../hall.ts";
import { askedOf, boardAddress, countOf, firstPage, readBoardQuery } from "../../live/board-query.ts";

type Parameters = Record<string, string | string[] | undefined>;

export default async function HallPage({ searchParams }: { searchParams: Promise<Parameters> }) {
  const parameters = await searchParams;
  const query = readBoardQuery((name) => [parameters[name]].flat()[0]);
  const [list, spending] = await Promise.all([hall().sessions.list({ ...askedOf(query), limit: firstPage }), hall().spending.get()]);
  if (list.sessions.length > 0 || countOf("all", list.counts) !== 0) {
    // The way back may lead to this page with another address than it was read for.
    return <Board initial={{ list, of: boardAddress(query) }} spending={spending} />;
  }
  const [{ model }, { checks }] = await Promise.all([hall().health(), hall().doctor()]);
  return <FirstRun model={model} checks={checks} />;
}
