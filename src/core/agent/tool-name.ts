/** The name under which the model sees a tool. The SDK puts an underscore for every character that a name may not have. */
export const nameForModel = (server: string, tool: string): string =>
  `mcp__${[server, tool].map((name) => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_")).join("__")}`;

/** The limit of the Messages API. The SDK silently drops a tool with a longer name. */
const longestName = 128;

/** Why no model can be offered a tool with this name, or null. Several tools of a server may still have one name for the model. */
export function whyNameIsRefused(server: string, tool: string): string | null {
  if (tool === "") return "it has no name";
  const name = nameForModel(server, tool);
  if (name.length > longestName) {
    return `its name is too long: with "mcp__${server}__" it has ${name.length} characters, and models take ${longestName}`;
  }
  return null;
}
