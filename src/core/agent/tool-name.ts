/** The name under which the model sees a tool. The SDK puts an underscore for every character that a name may not have. */
export const nameForModel = (server: string, tool: string): string =>
  `mcp__${[server, tool].map((name) => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_")).join("__")}`;

/** The limit of the Messages API. The SDK silently drops a tool with a longer name. */
const longestName = 128;

/**
 * Why no model can be offered a tool under its name, or null. Names that pass reach the model unchanged, so two of them
 * never become one.
 */
export function whyNameIsRefused(server: string, tool: string): string | null {
  if (tool === "") return "it has no name";
  const name = nameForModel(server, tool);
  if (name.length > longestName) {
    return `its name is too long: with "mcp__${server}__" it has ${name.length} characters, and models take ${longestName}`;
  }
  return name === `mcp__${server}__${tool}` ? null : 'its name has other characters than letters, digits, "_" and "-"';
}
