import { Play, Square } from "lucide-react";
import { counted } from "../../../format/figures.ts";
import { Button, buttonClass } from "../../elements/button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";

type RunRowProps = {
  isRunning: boolean;
  /** How many fields are told to be wrong. */
  toFix: number;
  onRun: () => void;
  onStop: () => void;
};

/** The one thing to press. With something to fix it says so, and leads there. */
export function RunRow({ isRunning, toFix, onRun, onStop }: RunRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      {isRunning ? (
        <Button variant="danger" hotkey="Esc" icon={<Icon of={Square} className="size-[15px]" />} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <button type="button" className={buttonClass(toFix > 0 ? "disabled" : "primary", "md", "cursor-pointer")} onClick={onRun}>
          <Icon of={Play} className="size-[15px]" />
          {toFix > 0 ? `Fix ${counted(toFix, "field")} to run` : "Run tool"}
          <Kbd tone={toFix > 0 ? "bare" : "fill"} className="-mr-1 ml-0.5 max-rail:hidden">
            Ctrl Enter
          </Kbd>
        </button>
      )}
      <span className="text-xs text-ink-3">No model takes part.</span>
    </div>
  );
}
