import type { Match, Session } from "../../../schema/session.ts";
import { memberHref } from "../../format/member-href.ts";
import { sessionHref } from "../../format/session-href.ts";
import type { MemberGlance } from "../../live/member-glance.ts";
import type { PageCommand, PaletteKind } from "./page-command.ts";
import { findTools, indexTools } from "./roster-search.ts";
import type { FoundSessions } from "../../live/use-found-sessions.ts";
import { addressPart } from "../../../client/address-part.ts";

export type PaletteAction =
  | { do: "go"; href: string }
  | { do: "new-session"; name: string }
  | { do: "new-job"; description: string }
  | { do: "add-member" }
  | { do: "stop-everything" }
  | { do: "pause-runs"; isWanted: boolean }
  | { do: "switch-theme" }
  | { do: "show-keys" }
  | { do: "on-page"; command: PageCommand };

export type PaletteItem = { id: string; kind: PaletteKind; label: string; aside?: string; hotkey?: string; action: PaletteAction };

export type PaletteGroup = { name: string; items: PaletteItem[] };

const pages: readonly PaletteItem[] = [
  { id: "hall", kind: "hall", label: "Hall", hotkey: "G H", action: { do: "go", href: "/" } },
  { id: "jobs", kind: "jobs", label: "Jobs", hotkey: "G J", action: { do: "go", href: "/jobs" } },
  { id: "roster", kind: "roster", label: "Roster", hotkey: "G R", action: { do: "go", href: "/roster" } },
  { id: "settings", kind: "settings", label: "Settings", hotkey: "G S", action: { do: "go", href: "/settings" } },
  { id: "gallery", kind: "gallery", label: "Components", aside: "every element in every state", action: { do: "go", href: "/gallery" } },
];

const pauseOrResume = (isPaused: boolean): PaletteItem => ({
  id: "pause-runs",
  kind: isPaused ? "resume" : "pause",
  label: isPaused ? "Resume new runs" : "Pause new runs",
  action: { do: "pause-runs", isWanted: !isPaused },
});

const commands: readonly PaletteItem[] = [
  { id: "add-member", kind: "roster", label: "Add member", action: { do: "add-member" } },
  { id: "theme", kind: "theme", label: "Switch between light and dark", action: { do: "switch-theme" } },
  { id: "keys", kind: "keys", label: "Show all keys", hotkey: "?", action: { do: "show-keys" } },
  { id: "stop-everything", kind: "stop", label: "Stop everything", action: { do: "stop-everything" } },
];

/** More are found on the Roster's own page. */
const shownTools = 6;

type Known = {
  members?: readonly MemberGlance[];
  /** What can be done on the page below. */
  onPage?: readonly PageCommand[];
  /** New runs are paused. */
  isPaused?: boolean;
};

/** What the palette offers for a query. An empty one shows what was worked on last; ">" leaves only commands. */
export function paletteItems(
  query: string,
  { sessions, matches }: FoundSessions,
  { members = [], onPage = [], isPaused = false }: Known = {},
): PaletteGroup[] {
  const commandsOnly = query.startsWith(">");
  const wanted = query.replace(/^>/, "").trim();
  const isNamed = ({ label }: PaletteItem): boolean => label.toLowerCase().includes(wanted.toLowerCase());
  const known = wanted === "" ? [] : members.map(memberItem);
  // What the hall found need not have the words in its name.
  const [found, recent] = [sessions.filter(({ id }) => matches.has(id)), sessions.filter(({ id }) => !matches.has(id))];
  const others = [...recent.map((session) => sessionItem(session)), ...pages, ...known].filter(isNamed);
  const places = commandsOnly ? [] : [...found.map((session) => sessionItem(session, matches.get(session.id))), ...others];
  const tools = commandsOnly ? [] : findTools(indexTools(members), wanted).slice(0, shownTools);
  const acts = [...commands, pauseOrResume(isPaused)].filter(isNamed);
  const named: PaletteItem = {
    id: "new",
    kind: "new",
    label: wanted === "" ? "New session" : `New session named “${wanted}”`,
    hotkey: "N",
    action: { do: "new-session", name: wanted },
  };
  const job: PaletteItem = {
    id: "new-job",
    kind: "job",
    label: wanted === "" || "new job".includes(wanted.toLowerCase()) ? "New job" : `New job “${wanted}”`,
    hotkey: "J",
    action: { do: "new-job", description: "new job".includes(wanted.toLowerCase()) ? "" : wanted },
  };
  return [
    { name: "Go to", items: places },
    { name: "On this page", items: onPage.map(pageItem).filter(isNamed) },
    // Commands with these words come before commands that would use them as a name.
    { name: "Do", items: wanted === "" ? [named, job, ...acts] : [...acts, named, job] },
    { name: "Tools", items: tools.map(({ member, tool }) => toolItem(member, tool.name)) },
  ].filter(({ items }) => items.length > 0);
}

const pageItem = (command: PageCommand): PaletteItem => ({
  id: `page-${command.id}`,
  kind: command.kind,
  label: command.label,
  ...(command.hotkey === undefined ? {} : { hotkey: command.hotkey }),
  ...(command.disabledBecause === undefined ? {} : { aside: command.disabledBecause }),
  action: { do: "on-page", command },
});

const sessionItem = ({ id, name, status }: Session, match?: Match | null): PaletteItem => ({
  id,
  kind: "session",
  label: name,
  aside: match === undefined || match === null ? `Workshop, ${status}` : match.text,
  action: { do: "go", href: sessionHref(id, match) },
});

const memberItem = ({ name, folder, displayName, status }: MemberGlance): PaletteItem => ({
  // An element's id has no spaces.
  id: `member-${addressPart(folder)}`,
  kind: "member",
  label: displayName,
  aside: `Member, ${status}`,
  action: { do: "go", href: memberHref(name) },
});

const toolItem = (member: MemberGlance, tool: string): PaletteItem => ({
  id: `tool-${addressPart(member.folder)}-${addressPart(tool)}`,
  kind: "tool",
  label: `${member.displayName} ${tool}`,
  aside: "run it by hand",
  action: { do: "go", href: memberHref(member.name, tool) },
});
