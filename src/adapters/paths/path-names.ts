export type PathNames = { names: string[]; problem: null } | { names: null; problem: string };

const longestPath = 4_096;

/**
 * The names in a path `<root>/<path>` or `<root>:<path>`, judged by the text alone. Names are taken as they are: the same letters
 * in another case or another form of Unicode are another name.
 */
export function namesIn(path: string): PathNames {
  const refuse = (problem: string): PathNames => ({ names: null, problem });
  if (path === "") return refuse("The path is empty.");
  if (path.length > longestPath) return refuse(`The path is longer than ${longestPath} characters.`);
  if (!path.isWellFormed() || /[\u0000-\u001f\u007f-\u009f\\\u202a-\u202e\u2066-\u2069]/.test(path)) {
    return refuse("The path contains a control character or a backslash.");
  }
  if (path.startsWith("/")) return refuse(`"${path}" is absolute. A path begins with the name of a folder.`);
  const names = path.replace(/^([^/:]*):/, "$1/").split("/");
  if (names.includes("..")) return refuse(`"${path}" leads out with "..".`);
  return { names: names.filter((name) => name !== "" && name !== "."), problem: null };
}
