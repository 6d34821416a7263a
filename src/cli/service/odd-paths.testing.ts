import fc from "fast-check";
import { planService } from "./service-plan.ts";
import type { ServicePlan } from "./service-plan.ts";

/** Names that people really have, and names that try to be something else. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("ab \"'\\$%&<>{}()[]=;:#!~*?|`^-@,äßжł語🙂")), minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    "--",
    "-->",
    "]]>",
    "&amp;",
    "%h",
    "%%",
    "${HOME}",
    "$HOME",
    "$$",
    "'\\''",
    '"',
    "\\",
    "a b ",
    " ",
    "\\n",
    "~",
    "=x",
    ";",
  ),
);

const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.filter((each) => !/^\.+$/.test(each)).join("/")}`);

/** Plans for halls in odd places. */
export const oddPlan = fc
  .record({ node: path, launcher: path, home: path, model: name, searchPath: fc.array(path, { maxLength: 2 }) })
  .map(({ node, launcher, home, model, searchPath }): ServicePlan => {
    const plan = planService({
      flags: { home, model: `m${model}` },
      env: {},
      folder: "/",
      installation: { node, launcher },
    });
    return { ...plan, searchPath: searchPath.join(":") };
  });
