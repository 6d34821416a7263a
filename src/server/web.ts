import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import nextModule from "next";
import { HallError } from "../schema/hall-error.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

// Next is CommonJS: at run time its default import is the function itself, which its types do not say.
const createNext = nextModule as unknown as typeof nextModule.default;

/** What Next keeps does not survive its closing, so it ends with its process, and a second hall there has the same one. */
let started: Promise<Handle> | undefined;

/** Next's own production server, inside this process. The built app lies beside the server, in a checkout and in the package alike. */
export async function startWeb(): Promise<Handle> {
  const dir = fileURLToPath(new URL("../web", import.meta.url));
  if (!existsSync(join(dir, ".next/BUILD_ID"))) {
    throw new HallError(
      "file_broken",
      `The pages of the hall are not built (${dir}). In a checkout, npm start builds them; a package must be installed again.`,
    );
  }
  return (started ??= prepare(dir));
}

async function prepare(dir: string): Promise<Handle> {
  const next = createNext({ dev: false, dir });
  await next.prepare();
  const handle = next.getRequestHandler();
  return (request, response) => handle(request, response);
}
