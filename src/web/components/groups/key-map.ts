/** Every key of the interface, as the help shows them. */
export const keyMap: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["Ctrl K"], does: "Search or run a command" },
  { keys: ["N"], does: "New session" },
  { keys: ["G", "H"], does: "Go to the hall" },
  { keys: ["G", "R"], does: "Go to the Roster" },
  { keys: ["G", "S"], does: "Go to settings" },
  { keys: ["?"], does: "Show these keys" },
  { keys: ["/"], does: "Search the sessions of the hall, or the tools on the Roster page" },
  { keys: ["↑", "↓"], does: "Move in the palette, also Ctrl P and Ctrl N; move among the cards of the hall, also ← →; move in the Roster" },
  { keys: ["M"], does: "Write a message" },
  { keys: ["Enter"], does: "Open what is chosen; send a message" },
  { keys: ["Shift Enter"], does: "New line in a message" },
  { keys: ["Ctrl Enter"], does: "Submit a form" },
  { keys: ["O"], does: "Open or close the tool row with focus" },
  { keys: ["["], does: "Show or hide the panel beside a session, also ]" },
  { keys: ["Esc"], does: "Close the top layer; else stop the run" },
];
