import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout or the package: the code lies two folders below it in both. */
export const projectFolder = (): string => fileURLToPath(new URL("../..", import.meta.url));

/** Also the folder in which `npm install` was run, for a package that lies in its node_modules. */
export function installationFolders(project: string = projectFolder()): string[] {
  const folder = project.replace(/(?<=.)[\\/]$/, "");
  const isPackage = basename(dirname(folder)) === "node_modules";
  return isPackage ? [folder, dirname(dirname(folder))] : [folder];
}
