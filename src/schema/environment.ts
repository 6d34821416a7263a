/** Variables by name, as a process gets them. Node's own type for it is widened by libraries and cannot be written down in a test. */
export type Environment = Readonly<Record<string, string | undefined>>;
