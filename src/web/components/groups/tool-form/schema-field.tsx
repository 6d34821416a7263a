import { useMemo } from "react";
import { visibleText } from "../../../format/visible-text.ts";
import type { ReadSchema } from "../../../tool-form/read-schema.ts";
import { shapeOf } from "../../../tool-form/shape.ts";
import type { Shape } from "../../../tool-form/shape.ts";
import { typeWords } from "../../../tool-form/type-words.ts";
import { BooleanField } from "./boolean-field.tsx";
import { ChoiceField } from "./choice-field.tsx";
import type { FieldProps, SchemaFieldProps } from "./field-props.ts";
import { useField } from "./form-context.ts";
import { JsonPart } from "./json-part.tsx";
import { ListField } from "./list-field.tsx";
import { NumberField } from "./number-field.tsx";
import { ObjectField } from "./object-field.tsx";
import { TagsField } from "./tags-field.tsx";
import { TextField } from "./text-field.tsx";
import { VariantsField } from "./variants-field.tsx";

/** A field below this depth is edited as JSON: a form within forms within forms helps nobody. */
const deepest = 8;

/** The control for a part of the input, whatever its schema. */
export function SchemaField({ path, part, name, isRequired, isEntry = false, ordinal, tools = null }: SchemaFieldProps) {
  const { read } = useField(path);
  const depth = path.length;
  const described = useMemo(
    () => describe(read, { depth, part, name, isRequired, ordinal }),
    [read, depth, part, name, isRequired, ordinal],
  );
  return <FieldOfShape path={path} isEntry={isEntry} tools={tools} {...described} />;
}

type Described = Omit<FieldProps, "path" | "isEntry" | "tools">;

type Describe = { depth: number; part: unknown; name: string; isRequired: boolean; ordinal: number | undefined };

function describe(read: ReadSchema, { depth, part, name, isRequired, ordinal }: Describe): Described {
  const { schema, isNullable } = read(part);
  const shape: Shape = depth > deepest ? { kind: "json" } : shapeOf(read, schema);
  const type = `${typeWords(read, schema, shape)}${isNullable ? " or null" : ""}`;
  const title = textOf(schema["title"], 120);
  const hint = textOf(schema["description"], 2000);
  const known = { name: visibleText(name).slice(0, 200), hint };
  // What an item is, its list has said already.
  const facts =
    ordinal === undefined
      ? { ...known, title, type, isRequired }
      : { ...known, title: `${title ?? known.name} ${ordinal}`, type: "", isRequired: false };
  return { part, shape, schema, isRequired, isNullable, facts };
}

/** Others' text may be of any length, and of any type. */
const textOf = (text: unknown, most: number): string | undefined =>
  typeof text !== "string" || text === "" ? undefined : visibleText(text.length > most ? `${text.slice(0, most)}…` : text);

function FieldOfShape({ shape, ...rest }: FieldProps) {
  switch (shape.kind) {
    case "text":
      return <TextField {...rest} shape={shape} />;
    case "number":
      return <NumberField {...rest} shape={shape} />;
    case "boolean":
      return <BooleanField {...rest} shape={shape} />;
    case "choice":
      return <ChoiceField {...rest} shape={shape} />;
    case "tags":
      return <TagsField {...rest} shape={shape} />;
    case "list":
      return <ListField {...rest} shape={shape} />;
    case "object":
      return <ObjectField {...rest} shape={shape} />;
    case "variants":
      return <VariantsField {...rest} shape={shape} />;
    case "json":
      return <JsonPart {...rest} shape={shape} />;
  }
}
