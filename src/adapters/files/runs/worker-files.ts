import { parseDocument } from "yaml";
import type { WorkerDefinitions } from "../../../core/delegation/new-run.ts";
import { explainIssues } from "../../../schema/explain-issues.ts";
import { HallError } from "../../../schema/hall-error.ts";
import { wellFormed } from "../../../schema/well-formed.ts";
import { WorkerDefinition, WorkerName } from "../../../schema/worker-definition.ts";
import { fileFailure } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import type { Layout } from "../layout.ts";
import { readWholeFile } from "../read-whole-file.ts";

/** `<home>/workers/<name>.yaml`, read whenever a run starts: a person edits it, and the hall never writes it. */
export function createWorkerFiles(layout: Layout): WorkerDefinitions {
  async function textOf(name: string): Promise<{ path: string; text: string } | null> {
    const { success, data } = WorkerName.safeParse(name);
    if (!success) return null;
    const path = layout.worker(data);
    try {
      return { path, text: (await readWholeFile(path, mostBytes)).toString("utf8") };
    } catch (error) {
      if (systemCode(error) === "ENOENT") return null;
      throw fileFailure(error, path);
    }
  }

  return {
    has: async (name) => (await textOf(name)) !== null,
    async read(name) {
      const found = await textOf(name);
      if (found === null) throw new HallError("not_found", `There is no worker "${name}".`);
      const document = parseDocument(found.text, { prettyErrors: true });
      const [mistake] = document.errors;
      if (mistake !== undefined) throw new HallError("invalid_config", `${found.path}: not valid YAML: ${mistake.message}`);
      const content: unknown = wellFormed(document.toJS());
      const parsed = WorkerDefinition.safeParse(content);
      if (!parsed.success) {
        const said = explainIssues(WorkerDefinition, content, parsed.error).map(({ message }) => message);
        throw new HallError("invalid_config", `${found.path}: ${said.join("; ")}`);
      }
      if (parsed.data.name !== name)
        throw new HallError("invalid_config", `${found.path}: its name is "${parsed.data.name}", and the file's is "${name}".`);
      const taken = Object.entries(parsed.data.sandboxes).find(([, { path }]) => isOfHall(path));
      if (taken === undefined) return parsed.data;
      throw new HallError(
        "invalid_config",
        `${found.path}: the sandbox "${taken[0]}" is in ${taken[1].path}, where the hall keeps its own files.`,
      );
    },
  };
}

const mostBytes = 1024 * 1024;

/** Whether a path in the home is, holds or lies in something of the hall: a worker must not reach records, keys or programs. */
function isOfHall(path: string): boolean {
  const [first] = path.split("/").filter((name) => name !== "" && name !== ".");
  return first === undefined || first.startsWith(".") || names.has(first.toLowerCase());
}

const names = new Set(
  "version person.key config.yaml guild-members removed-members node_modules packages workers jobs memory sessions state claude logs".split(
    " ",
  ),
);
