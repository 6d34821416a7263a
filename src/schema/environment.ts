/** Variables by name, as a process gets them. Node's own type for it is widened by libraries and cannot be written down in a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The file that set a variable, by the name of the variable. Variables of the real environment are not in it. */
export type Origins = Readonly<Record<string, string>>;

/** Variables that hold a credential for Claude, the strongest first. */
export const credentialNames = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"] as const;
