import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { Config } from "../schema/config.ts";
import { isLoopback } from "../schema/loopback.ts";
import { checkExposure, homeFolder, mergeSettings, readToken } from "./serve-settings.ts";

const config = Config.parse({ host: "::1", port: 1111, model: "from-file" });

describe("settings", () => {
  it("come from flags before the environment before config.yaml", () => {
    const env = { GUILD_HALL_HOST: "localhost", GUILD_HALL_PORT: "2222" };

    expect(mergeSettings(config, { port: "3333" }, env)).toEqual({ ...config, host: "localhost", port: 3333, model: "from-file" });
  });

  it("treat an empty variable as not set and an empty flag as a mistake", () => {
    expect(mergeSettings(config, {}, { GUILD_HALL_PORT: "", GUILD_HALL_MODEL: "" })).toEqual(config);
    expect(() => mergeSettings(config, { model: "" }, {})).toThrow('--model must be the name of a model, not "".');
  });

  it.each(["abc", "-1", "70000", "80.5", "0x50", "1e3"])("refuse the port %s and say where it came from", (port) => {
    expect(() => mergeSettings(config, { port }, {})).toThrow(/^--port must be a whole number from 0 to 65535, not /);
    expect(() => mergeSettings(config, {}, { GUILD_HALL_PORT: port })).toThrow(/^GUILD_HALL_PORT must be /);
  });

  it("find the home folder by flag, environment or the user's own", () => {
    expect(homeFolder("here", { GUILD_HALL_HOME: "/there" }, "/start")).toBe("/start/here");
    expect(homeFolder(undefined, { GUILD_HALL_HOME: "/there" }, "/start")).toBe("/there");
    expect(homeFolder(undefined, {}, "/start")).toBe(`${homedir()}/.guild-hall`);
    expect(() => homeFolder(" ", {}, "/start")).toThrow("--home needs the path of a folder.");
  });
});

describe("exposure", () => {
  it.each(["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]", "LOCALHOST"])("of %s needs no token", (host) => {
    expect(isLoopback(host)).toBe(true);
    expect(() => checkExposure(host, null)).not.toThrow();
  });

  it.each(["0.0.0.0", "::", "192.168.1.5", "hall.example.org", "127.0.0.1.example.org", "localhost.example.org"])(
    "of %s needs a token (SEC-1)",
    (host) => {
      expect(() => checkExposure(host, null)).toThrow(`Listening on ${host} would let other machines command this hall.`);
      expect(() => checkExposure(host, "secret")).not.toThrow();
    },
  );

  it("with an empty token is refused, wherever the hall listens (SEC-1)", () => {
    expect(() => readToken({ GUILD_HALL_TOKEN: "" })).toThrow("GUILD_HALL_TOKEN is set but empty");
    expect(() => readToken({ GUILD_HALL_TOKEN: "  " })).toThrow("GUILD_HALL_TOKEN is set but empty");
    expect(readToken({})).toBeNull();
    expect(readToken({ GUILD_HALL_TOKEN: "secret" })).toBe("secret");
  });

  it("with a token that the login form refuses is refused at the start (SEC-5)", () => {
    const longest = "x".repeat(1024);

    expect(readToken({ GUILD_HALL_TOKEN: longest })).toBe(longest);
    expect(() => readToken({ GUILD_HALL_TOKEN: `${longest}x` })).toThrow("GUILD_HALL_TOKEN has 1025 characters");
  });
});
