import { describe, expect, it } from "vitest";
import { planService } from "./service-plan.ts";
import { serviceWarnings } from "./service-warnings.ts";

const installation = { node: "/usr/bin/node", launcher: "/opt/guild-hall/bin/guild-hall.js" };
const plan = (flags: Record<string, string>, env: Record<string, string> = {}) =>
  planService({ flags, env, folder: "/start", installation });

describe("what a service is told", () => {
  it("is what serve would be told: flags before the environment, and nothing of what config.yaml decides", () => {
    const env = { GUILD_HALL_HOME: "there", GUILD_HALL_PORT: "2222", GUILD_HALL_MODEL: "" };

    expect(plan({ host: "::1" }, env).command.slice(2)).toEqual(["serve", "--home", "/start/there", "--host", "::1", "--port", "2222"]);
    expect(plan({ home: "/here", port: "0" }, env).command.slice(2)).toEqual(["serve", "--home", "/here", "--port", "0"]);
    expect(plan({ home: "/here", model: "m" }).command.slice(2)).toEqual(["serve", "--home", "/here", "--model", "m"]);
  });

  it("is checked as serve would check it", () => {
    expect(() => plan({ port: "http" })).toThrow('--port must be a whole number from 0 to 65535, not "http".');
    expect(() => plan({}, { GUILD_HALL_PORT: "-1" })).toThrow(/^GUILD_HALL_PORT must be /);
    expect(() => plan({ home: "/a\nb" })).toThrow('A service cannot name "/a\\nb": there is a line break or a control character in it.');
  });

  it("has the places where this shell finds programs, without those that npm adds for one command", () => {
    const npm =
      "/opt/app/node_modules/.bin:/opt/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin";

    expect(plan({}, { PATH: `${npm}:/home/ada/bin:.:/usr/bin:/home/ada/bin:` }).searchPath).toBe("/home/ada/bin:/usr/bin");
    expect(plan({}).searchPath).toBe("");
  });
});

describe("warnings about a service", () => {
  it("name the variables of this shell that it would not have, and never their values", () => {
    const env = {
      ANTHROPIC_API_KEY: "secret",
      HTTPS_PROXY: "http://me:secret@proxy",
      GUILD_HALL_PORT: "1",
      ANTHROPIC_BASE_URL: "",
      EDITOR: "vi",
    };

    const [warning, ...others] = serviceWarnings(plan({ home: "/h" }, env), env, {});

    expect(others).toEqual([]);
    expect(warning).toMatch(/Write those it needs into \/h\/\.env\.local: ANTHROPIC_API_KEY, HTTPS_PROXY\.$/);
    expect(warning).not.toContain("secret");
    expect(serviceWarnings(plan({ home: "/h" }, env), env, { ANTHROPIC_API_KEY: "there", HTTPS_PROXY: "there" })).toEqual([]);
  });

  it("tell where a token is needed (SEC-1)", () => {
    const open = plan({ home: "/h", host: "0.0.0.0" });

    expect(serviceWarnings(open, {}, {})).toEqual(["on 0.0.0.0 the hall starts only with a GUILD_HALL_TOKEN in /h/.env.local."]);
    expect(serviceWarnings(open, {}, { GUILD_HALL_TOKEN: "long" })).toEqual([]);
  });

  it("tell that a copy of npx does not stay", () => {
    const launcher = "/home/ada/.npm/_npx/0a1b/node_modules/guild-hall/bin/guild-hall.js";
    const passing = planService({ flags: {}, env: {}, folder: "/", installation: { ...installation, launcher } });

    expect(serviceWarnings(passing, {}, {})).toEqual([expect.stringContaining("in the cache of npx")]);
  });
});
