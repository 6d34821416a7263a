import type { TextShape } from "../../../tool-form/text-shape.ts";
import { Input, TextArea } from "../../elements/input.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { useField } from "./form-context.ts";
import { DateControl, MomentControl } from "./moment-control.tsx";
import type { ControlProps } from "./text-control.ts";
import { placeholderOf } from "./placeholder.ts";
import type { FieldProps } from "./field-props.ts";
import { NullNote, ValueActions } from "./value-actions.tsx";

/** Text of any kind. An emptied field is left out; an empty text is sent only by choice. */
export function TextField({ path, shape, schema, isRequired, isNullable, isEntry, facts, tools }: FieldProps<TextShape>) {
  const field = useField(path, isEntry);
  const { value, set, touch, control, problem } = field;
  const canBeEmpty = shape.format === "plain" && !(typeof schema["minLength"] === "number" && schema["minLength"] > 0);
  const props: ControlProps = {
    text: typeof value === "string" ? value : "",
    onText: (text) => set(text === "" ? undefined : text),
    onBlur: touch,
    placeholder: placeholderOf(schema),
    control,
  };
  return (
    <FieldFrame
      id={field.id}
      facts={facts}
      problem={problem}
      actions={
        <ValueActions
          tools={tools}
          field={field}
          isRequired={isRequired}
          isNullable={isNullable}
          {...(canBeEmpty ? { empty: { value: "", offer: "Send empty" } } : {})}
        />
      }
    >
      {value === null ? <NullNote /> : <TextControl shape={shape} {...props} />}
    </FieldFrame>
  );
}

function TextControl({ shape, ...props }: ControlProps & { shape: TextShape }) {
  const { text, onText, onBlur, placeholder, control } = props;
  if (shape.format === "date") return <DateControl {...props} />;
  if (shape.format === "date-time" || shape.format === "time") return <MomentControl format={shape.format} {...props} />;
  const common = { ...control, value: text, onBlur, placeholder, spellCheck: false, autoComplete: "off" };
  // A single line would lose the line breaks of a value that has them.
  if (shape.isLong || text.includes("\n"))
    return (
      <TextArea
        {...common}
        rows={4}
        onChange={(event) => onText(event.target.value)}
        className="field-sizing-content max-h-90 min-h-21 font-mono text-(length:--code)"
      />
    );
  return (
    <>
      <Input
        {...common}
        type={shape.format === "password" ? "password" : "text"}
        {...(shape.format === "email" ? { inputMode: "email" } : shape.format === "uri" ? { inputMode: "url" } : {})}
        {...(shape.suggestions.length > 0 ? { list: `${control.id}-list` } : {})}
        onChange={(event) => onText(event.target.value)}
      />
      {shape.suggestions.length === 0 ? null : (
        <datalist id={`${control.id}-list`}>
          {shape.suggestions.map((suggestion) => (
            <option key={suggestion}>{suggestion}</option>
          ))}
        </datalist>
      )}
    </>
  );
}
