import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Manifest } from "../../schema/manifest.ts";
import { memberEnvironment, needsPort } from "./member-environment.ts";

const manifestOf = (change: object = {}) =>
  Manifest.parse({
    name: "one",
    displayName: "One",
    description: "One of them.",
    version: "1.0.0",
    transport: "stdio",
    mcp: { command: "one" },
    ...change,
  });

const parts = {
  host: {
    PATH: "/usr/bin",
    LANG: "C",
    LC_TIME: "C",
    TZ: "UTC",
    NODE_COMPILE_CACHE: "/c",
    NODE_OPTIONS: "--inspect",
    HOME: "/home/me",
    SECRET: "s",
    GUILD_HALL_TOKEN: "t",
  },
  nodeFolder: "/node/bin",
  folders: { home: "/h", temporary: "/h/tmp" },
  modelEnv: { ANTHROPIC_API_KEY: "key", HTTPS_PROXY: "proxy", CLAUDE_CONFIG_DIR: "" },
  port: 4000,
  mark: "one:1",
};

const basic = {
  LANG: "C",
  LC_TIME: "C",
  TZ: "UTC",
  NODE_COMPILE_CACHE: "/c",
  PATH: "/node/bin:/usr/bin",
  HOME: "/h",
  TMPDIR: "/h/tmp",
  GUILD_HALL_MEMBER: "one:1",
};

describe("the environment of a member", () => {
  it("holds nothing of ours but the search path, the locale and where Node keeps what it compiled (SEC-9)", () => {
    expect(memberEnvironment({ ...parts, manifest: manifestOf() })).toEqual(basic);
  });

  it("names the place of compiled code as it is from everywhere, and none where there is none", () => {
    const cacheOf = (place: string) =>
      memberEnvironment({ ...parts, host: { NODE_COMPILE_CACHE: place }, manifest: manifestOf() })["NODE_COMPILE_CACHE"];

    expect([cacheOf("compiled"), cacheOf("")]).toEqual([resolve("compiled"), undefined]);
  });

  it("holds the way to the model where it is a worker (SEC-9)", () => {
    const environment = memberEnvironment({ ...parts, manifest: manifestOf({ capabilities: ["worker"] }) });

    expect(environment).toEqual({ ...basic, ANTHROPIC_API_KEY: "key", HTTPS_PROXY: "proxy" });
  });

  it("is what the manifest says above all, but for the mark by which we know it", () => {
    const env = { HOME: "/elsewhere", AT: "http://127.0.0.1:${PORT}/${PORT}", EMPTY: "", GUILD_HALL_MEMBER: "mine" };

    const environment = memberEnvironment({ ...parts, manifest: manifestOf({ mcp: { command: "one", env } }) });

    expect(environment).toEqual({ ...basic, HOME: "/elsewhere", AT: "http://127.0.0.1:4000/4000", EMPTY: "" });
  });

  it.each([
    [{ transport: "http" }, true],
    [{ mcp: { command: "one", args: ["--port=${PORT}"] } }, true],
    [{ mcp: { command: "one", env: { AT: "${PORT}" } } }, true],
    [{ mcp: { command: "one", args: ["$PORT"] } }, false],
  ])("needs a port where the manifest asks for one: %j", (change, answer) => {
    expect(needsPort(manifestOf(change))).toBe(answer);
  });
});
