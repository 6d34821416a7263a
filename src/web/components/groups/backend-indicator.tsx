import { Cloud, CloudOff, Drama, Server } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ModelBackend, ModelInfo } from "../../../schema/health.ts";
import { Icon } from "../elements/icon.tsx";

/** Which model answers, always in sight; the settings say more. `isUnreachable` is what the last answer found out. */
export function BackendIndicator({ model, isUnreachable = false }: { model: ModelInfo; isUnreachable?: boolean }) {
  const { icon, name } = backends[model.backend];
  return (
    <Link
      href="/settings#model"
      prefetch={false}
      title={model.detail}
      className="flex h-(--h-md) flex-none items-center gap-1.5 rounded-2 px-[9px] text-xs whitespace-nowrap text-ink-2 hover:bg-hover max-rail:h-11"
    >
      <Icon of={isUnreachable ? CloudOff : icon} className={isUnreachable ? "size-[15px] text-err" : "size-[15px]"} />
      <span className="font-medium text-ink">{name}</span>
      {isUnreachable ? (
        <span className="text-err max-rail:sr-only">did not answer last time</span>
      ) : (
        <span className="text-ink-3 max-rail:sr-only">{model.backend === "demo" ? "scripted, no cost" : model.name}</span>
      )}
    </Link>
  );
}

/** The demo model wears a mask wherever it appears, so that nobody takes it for Claude. */
export const backends: Record<ModelBackend, { icon: LucideIcon; name: string }> = {
  claude: { icon: Cloud, name: "Claude" },
  endpoint: { icon: Server, name: "Own endpoint" },
  demo: { icon: Drama, name: "Demo model" },
};
