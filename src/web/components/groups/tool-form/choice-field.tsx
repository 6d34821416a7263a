import { isSame } from "../../../tool-form/likeness.ts";
import type { ChoiceOption } from "../../../tool-form/shape.ts";
import { labelOf } from "../../../tool-form/shape.ts";
import { Select } from "../../elements/input.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { blankEntry, useField } from "./form-context.ts";
import type { FieldProps } from "./field-props.ts";

/** One of the values a schema lists, whatever they are. A value it does not list stays in sight, and is told to be wrong. */
export function ChoiceField({
  path,
  shape,
  isRequired,
  isNullable,
  isEntry,
  facts,
  tools,
}: FieldProps<{ kind: "choice"; options: readonly ChoiceOption[] }>) {
  const { id, value, set, touch, problem, control } = useField(path, isEntry);
  const listed = isNullable && !shape.options.some((option) => option.value === null) ? [...shape.options, nullOption] : shape.options;
  const isOut = value === undefined || (isEntry && value === blankEntry && !listed.some((option) => option.value === blankEntry));
  const isListed = isOut || listed.some((option) => isSame(option.value, value));
  const options = isListed ? listed : [...listed, { label: `${labelOf(value).slice(0, 80)} (not one of these)`, value }];
  const chosen = isOut ? -1 : options.findIndex((option) => isSame(option.value, value));
  return (
    <FieldFrame id={id} facts={facts} problem={problem} actions={<span className="ml-auto">{tools}</span>}>
      <Select {...control} value={String(chosen)} onBlur={touch} onChange={(event) => set(options[Number(event.target.value)]?.value)}>
        {isRequired && chosen !== -1 ? null : <option value="-1">{isRequired ? "Choose one" : "Left out"}</option>}
        {options.map((option, index) => (
          <option key={`${index} ${option.label}`} value={String(index)}>
            {option.label.slice(0, 200)}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}

const nullOption: ChoiceOption = { label: "null", value: null };
