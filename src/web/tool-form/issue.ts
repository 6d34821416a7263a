import type { Path } from "./json.ts";

/** Something in the input that the tool will not take. */
export type Issue = { path: Path; message: string };

/** Which variant a person chose, by the pointer to the part. What is wrong is told about that one. */
export type Choices = Readonly<Record<string, number>>;
