import { Plus } from "lucide-react";
import { isObject } from "../../../tool-form/json.ts";
import type { Path } from "../../../tool-form/json.ts";
import { likeliest } from "../../../tool-form/likeness.ts";
import { prefill } from "../../../tool-form/prefill.ts";
import { shapeOf } from "../../../tool-form/shape.ts";
import type { Variant } from "../../../tool-form/variants.ts";
import { Button } from "../../elements/button.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Select } from "../../elements/input.tsx";
import { Segment } from "../../elements/segment.tsx";
import { GroupFrame } from "./field-frame.tsx";
import { useField } from "./form-context.ts";
import { ObjectFields } from "./object-fields.tsx";
import type { FieldProps } from "./field-props.ts";
import { NullNote, ValueActions } from "./value-actions.tsx";

/** More variants than this, or longer names, are chosen from a list. */
const mostInSight = 4;
const longestInSight = 40;

/** A part that can be one of several things. What fits the next one is kept, and going back brings the rest back. */
export function VariantsField({
  path,
  shape,
  isRequired,
  isNullable,
  isEntry,
  facts,
  tools,
}: FieldProps<{ kind: "variants"; variants: readonly Variant[] }>) {
  const field = useField(path, isEntry);
  const { id, value, problem, read, state, pointer, dispatch } = field;
  const chosen = shape.variants.find(({ index }) => index === state.choices[pointer]) ?? likeliest(read, shape.variants, value);
  if (chosen === undefined) return null;
  const choose = (to: string) => {
    const next = shape.variants.find(({ index }) => String(index) === to);
    if (next === undefined || next.index === chosen.index) return;
    dispatch({ type: "choose", path, from: chosen.index, to: next.index, part: next.schema });
  };
  const label = `Kind of ${facts.title ?? facts.name}`;
  const options = shape.variants.map(({ index, label: name }) => ({ value: String(index), label: name.slice(0, 80) }));
  const areFew = options.length <= mostInSight && options.map((option) => option.label).join("").length <= longestInSight;
  return (
    <GroupFrame
      id={`${id}-kind`}
      facts={facts}
      problem={isObject(value) ? problem : undefined}
      actions={<ValueActions tools={tools} field={field} isRequired={isRequired} isNullable={isNullable} />}
    >
      {areFew ? (
        <div>
          <Segment label={label} options={options} value={String(chosen.index)} onChange={choose} />
        </div>
      ) : (
        <Select aria-label={label} value={String(chosen.index)} onChange={(event) => choose(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
      {value === null ? (
        <NullNote />
      ) : (
        <ChosenVariant key={chosen.index} path={path} variant={chosen} isRequired={isRequired} isEntry={isEntry} />
      )}
    </GroupFrame>
  );
}

type ChosenVariantProps = { path: Path; variant: Variant; isRequired: boolean; isEntry: boolean };

/** The fields of an object stand in the frame of the choice; anything else is one field in it. */
function ChosenVariant({ path, variant, isRequired, isEntry }: ChosenVariantProps) {
  const { value, read, set, Part } = useField(path, isEntry);
  const { schema } = read(variant.schema);
  const shape = shapeOf(read, schema);
  if (shape.kind !== "object")
    return <Part path={path} part={variant.schema} name={variant.label} isRequired={isRequired} isEntry={isEntry} />;
  if (isObject(value)) return <ObjectFields path={path} shape={shape} />;
  return (
    <Button
      size="sm"
      variant="ghost"
      className="justify-self-start"
      icon={<Icon of={Plus} className="size-[15px]" />}
      onClick={() => set(prefill(read, variant.schema, true) ?? {})}
    >
      Add {variant.label}
    </Button>
  );
}
