import { isDate, momentOf, momentText } from "../../../tool-form/moment.ts";
import { Input, Select } from "../../elements/input.tsx";
import type { ControlProps } from "./text-control.ts";

/** The browser's own calendar, for what it can hold; any other text stays as it is. */
export const DateControl = ({ text, onText, onBlur, control, placeholder }: ControlProps) => (
  <Input
    {...control}
    type={text === "" || isDate(text) ? "date" : "text"}
    value={text}
    placeholder={placeholder}
    onBlur={onBlur}
    onChange={(event) => onText(event.target.value)}
  />
);

/** A time is not complete without its zone, which the browser's own control does not know. */
export function MomentControl({ format, text, onText, onBlur, control, placeholder }: ControlProps & { format: "date-time" | "time" }) {
  const moment = text === "" ? { wall: "", zone: "Z" } : momentOf(format, text);
  if (moment === null)
    return <Input {...control} value={text} placeholder={placeholder} onBlur={onBlur} onChange={(event) => onText(event.target.value)} />;
  const { wall, zone } = moment;
  return (
    <span className="flex gap-1.5">
      <Input
        {...control}
        className="min-w-0 flex-1"
        type={format === "time" ? "time" : "datetime-local"}
        step={/\.\d+$/.test(wall) ? "0.001" : "1"}
        value={wall}
        onBlur={onBlur}
        onChange={(event) => onText(momentText({ wall: event.target.value, zone }))}
      />
      <Select
        aria-label="Zone"
        value={zone}
        className="w-auto! flex-none"
        onChange={(event) => onText(momentText({ wall, zone: event.target.value }))}
      >
        {zonesWith(zone).map((offset) => (
          <option key={offset} value={offset}>
            {offset === "Z" ? "UTC" : offset}
          </option>
        ))}
      </Select>
    </span>
  );
}

/** UTC, the zone of this browser, and whatever is there now. */
function zonesWith(zone: string): string[] {
  const minutes = -new Date().getTimezoneOffset();
  const two = (figure: number) => String(figure).padStart(2, "0");
  const here = `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return [...new Set(["Z", minutes === 0 ? "Z" : here, zone])];
}
