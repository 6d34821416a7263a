import type { ModelInfo } from "../../../schema/health.ts";
import { Icon } from "../elements/icon.tsx";
import { SquareMonogram } from "../elements/monogram.tsx";
import { backends } from "./backend-indicator.tsx";

/** The place of an answer whose first word has not come yet. */
export function AwaitedAnswer({ model }: { model: ModelInfo }) {
  const { name, icon } = backends[model.backend];
  return (
    <div className="mx-auto mb-4 flex max-w-[780px] items-center gap-3 text-ink-3">
      <span className="max-rail:hidden">
        <SquareMonogram label={name}>
          <Icon of={icon} className="size-[15px]" />
        </SquareMonogram>
      </span>
      <span>
        {name} is starting <span aria-hidden className="caret" />
      </span>
    </div>
  );
}
