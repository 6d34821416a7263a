import { useMemo, useState } from "react";
import { isObject, pointerOf } from "../../../tool-form/json.ts";
import type { Path } from "../../../tool-form/json.ts";
import type { ReadSchema } from "../../../tool-form/read-schema.ts";
import { shapeOf } from "../../../tool-form/shape.ts";
import type { Property, Shape } from "../../../tool-form/shape.ts";
import { typeWords } from "../../../tool-form/type-words.ts";
import { Button } from "../../elements/button.tsx";
import { useField } from "./form-context.ts";
import { MapRows } from "./map-rows.tsx";
import { UnknownKeys } from "./unknown-keys.tsx";

export type ObjectShape = Extract<Shape, { kind: "object" }>;

/** A tool may ask for ten thousand things. So many are drawn at once; what is required, filled in or wrong comes first. */
const pageSize = 40;

/** The fields of an object, and the entries that have no field of their own. */
export function ObjectFields({ path, shape }: { path: Path; shape: ObjectShape }) {
  const { value, told, read, Part } = useField(path);
  const [most, setMost] = useState(pageSize);
  const known = useMemo(() => new Set(shape.properties.map(({ key }) => key)), [shape]);
  const filled = isObject(value) ? value : {};
  const others = Object.keys(filled).filter((key) => !known.has(key));
  const isPressing = ({ key, isRequired }: Property) => isRequired || Object.hasOwn(filled, key) || told.has(pointerOf([...path, key]));
  const shown = inSight(shape.properties, most, isPressing);
  return (
    <>
      {inRows(shown, (property) => isShort(read, property)).map((row) => (
        <div key={row[0]?.key} className={row.length > 1 ? "grid gap-x-3 gap-y-4 rail:grid-cols-2" : "contents"}>
          {row.map(({ key, schema, isRequired }) => (
            <Part key={key} path={[...path, key]} part={schema} name={key} isRequired={isRequired} />
          ))}
        </div>
      ))}
      {shown.length < shape.properties.length ? (
        <Button size="sm" className="justify-self-start" onClick={() => setMost(most + pageSize)}>
          Show more of {shape.properties.length} fields
        </Button>
      ) : null}
      {shape.rest === null ? (
        <UnknownKeys path={path} keys={others} />
      ) : (
        <MapRows path={path} keys={others} part={shape.rest} known={known} />
      )}
    </>
  );
}

/** In the schema's own order, so that nothing jumps while it is filled in. */
function inSight(properties: readonly Property[], most: number, isPressing: (property: Property) => boolean): readonly Property[] {
  if (properties.length <= most) return properties;
  const pressing = properties.filter(isPressing).slice(0, most);
  const rest = properties.filter((property) => !pressing.includes(property)).slice(0, most - pressing.length);
  const all = new Set([...pressing, ...rest]);
  return properties.filter((property) => all.has(property));
}

/** Two fields that need little room share a line. */
function inRows(properties: readonly Property[], isShortOne: (property: Property) => boolean): Property[][] {
  const rows: Property[][] = [];
  let canJoin = false;
  for (const property of properties) {
    const fits = isShortOne(property);
    if (fits && canJoin) rows.at(-1)?.push(property);
    else rows.push([property]);
    canJoin = fits && !canJoin;
  }
  return rows;
}

/** Beyond this a name with its type would need a second line in half the room. */
const longestName = 26;

function isShort(read: ReadSchema, { key, schema: part, isRequired }: Property): boolean {
  const { schema } = read(part);
  const shape = shapeOf(read, schema);
  const name = typeof schema["title"] === "string" ? schema["title"] : key;
  if (`${name} ${typeWords(read, schema, shape)}${isRequired ? " required" : ""}`.length > longestName) return false;
  if (shape.kind === "choice") return shape.options.every(({ label }) => label.length < longestName);
  return shape.kind === "number" || (shape.kind === "text" && shape.format === "date");
}
