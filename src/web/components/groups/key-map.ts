/** Every key of the interface, as the help shows them. `single` ones can be turned off. */
export const keyMap: readonly { keys: readonly string[]; does: string; single?: true }[] = [
  { keys: ["Ctrl K"], does: "Search or run a command" },
  { keys: ["N"], does: "New session", single: true },
  { keys: ["G", "H"], does: "Go to the hall", single: true },
  { keys: ["G", "S"], does: "Go to settings", single: true },
  { keys: ["?"], does: "Show these keys", single: true },
  { keys: ["↑", "↓"], does: "Move in the palette, also Ctrl P and Ctrl N" },
  { keys: ["Enter"], does: "Open what is chosen; send a message" },
  { keys: ["Shift Enter"], does: "New line in a message" },
  { keys: ["Ctrl Enter"], does: "Submit a form" },
  { keys: ["O"], does: "Open or close the tool row with focus", single: true },
  { keys: ["Esc"], does: "Close the top layer; else stop the run" },
];
