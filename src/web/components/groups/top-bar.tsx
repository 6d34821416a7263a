import Link from "next/link";
import type { ModelInfo } from "../../../schema/health.ts";
import type { Session } from "../../../schema/session.ts";
import { Mark } from "../elements/mark.tsx";
import { BackendIndicator } from "./backend-indicator.tsx";
import { Crumbs } from "./crumbs.tsx";
import { PaletteField } from "./palette-field.tsx";

export function TopBar({ model, latest }: { model: ModelInfo; latest: Session | undefined }) {
  return (
    <header className="flex min-w-0 items-center gap-2 border-b border-line bg-paper pr-4 pl-6 [grid-area:top] max-rail:gap-0.5 max-rail:pr-2 max-rail:pl-3">
      <Link href="/" prefetch={false} aria-label="Guild Hall" className="grid h-11 w-[30px] place-items-center rail:hidden">
        <Mark className="size-5.5" />
      </Link>
      <Crumbs />
      <PaletteField />
      <BackendIndicator model={model} isUnreachable={latest?.error?.code === "model_unreachable"} />
    </header>
  );
}
