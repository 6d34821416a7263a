import type { ReactNode } from "react";
import type { JsonObject, Path } from "../../../tool-form/json.ts";
import type { Shape } from "../../../tool-form/shape.ts";
import type { FieldFacts } from "./field-name.tsx";

/** What every field is given. */
export type FieldProps<Of extends Shape = Shape> = {
  path: Path;
  /** Its part of the tool's schema, as it stands there. */
  part: unknown;
  shape: Of;
  schema: JsonObject;
  isRequired: boolean;
  isNullable: boolean;
  /** It is an item of a list or an entry of a map, which cannot be left out by emptying it. */
  isEntry: boolean;
  facts: FieldFacts;
  /** What can be done with it as an entry of whatever holds it. */
  tools: ReactNode;
};

export type SchemaFieldProps = {
  path: Path;
  part: unknown;
  name: string;
  isRequired: boolean;
  isEntry?: boolean;
  /** Its place in a list, from 1; items are called by it. */
  ordinal?: number;
  tools?: ReactNode;
};
