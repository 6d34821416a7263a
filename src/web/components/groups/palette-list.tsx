import {
  CircleCheckBig,
  FileDown,
  House,
  Keyboard,
  LayoutGrid,
  MessageSquarePlus,
  MessagesSquare,
  PanelRight,
  Paperclip,
  Pause,
  Pencil,
  Play,
  Plug,
  Plus,
  RotateCcw,
  ScrollText,
  Settings,
  Square,
  SunMoon,
  Trash2,
  Wrench,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { Icon } from "../elements/icon.tsx";
import { Kbd } from "../elements/kbd.tsx";
import type { PaletteKind } from "./page-command.ts";
import type { PaletteAction, PaletteGroup, PaletteItem } from "./palette-items.ts";

export const paletteListId = "palette-list";
export const optionId = ({ id }: PaletteItem): string => `palette-${id}`;

type PaletteListProps = {
  groups: readonly PaletteGroup[];
  current: PaletteItem | undefined;
  query: string;
  onRun: (action: PaletteAction) => void;
};

export function PaletteList({ groups, current, query, onRun }: PaletteListProps) {
  return (
    <div id={paletteListId} role="listbox" aria-label="Results" className="max-h-[min(60vh,440px)] overflow-y-auto pb-1.5">
      {groups.map((group) => (
        <div key={group.name} role="group" aria-label={group.name}>
          <div aria-hidden className="px-4 pt-2.5 pb-1 text-xs text-ink-3">
            {group.name}
          </div>
          {group.items.map((item) => (
            // Focus stays in the input, which hands Enter to the chosen option.
            <button
              key={item.id}
              id={optionId(item)}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={item.id === current?.id}
              onClick={() => onRun(item.action)}
              className="mx-1.5 flex h-9 w-[calc(100%-12px)] cursor-pointer items-center text-left gap-2.5 rounded-2 px-2.5 hover:bg-hover aria-selected:bg-selected aria-selected:shadow-[inset_2px_0_0_var(--brass-fill)] max-rail:h-11"
            >
              <Icon of={icons[item.kind]} className="size-4 text-ink-3" />
              <span className="overflow-hidden text-ellipsis whitespace-nowrap">
                <Marked text={item.label} part={query.trim()} />
              </span>
              <span className="ml-auto max-w-[50%] flex-none truncate text-xs text-ink-3">{item.aside}</span>
              {item.hotkey === undefined ? null : <Kbd className="max-rail:hidden">{item.hotkey}</Kbd>}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function Marked({ text, part }: { text: string; part: string }) {
  const at = part === "" ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className="bg-transparent font-[650] text-inherit underline decoration-control underline-offset-3">
        {text.slice(at, at + part.length)}
      </mark>
      {text.slice(at + part.length)}
    </>
  );
}

const icons: Record<PaletteKind, LucideIcon> = {
  session: MessagesSquare,
  hall: House,
  jobs: ScrollText,
  job: ScrollText,
  roster: Plug,
  member: Plug,
  tool: Wrench,
  settings: Settings,
  gallery: LayoutGrid,
  new: Plus,
  theme: SunMoon,
  keys: Keyboard,
  write: MessageSquarePlus,
  rename: Pencil,
  attach: Paperclip,
  export: FileDown,
  panel: PanelRight,
  log: ScrollText,
  stop: Square,
  pause: Pause,
  resume: Play,
  renew: RotateCcw,
  complete: CircleCheckBig,
  delete: Trash2,
};
