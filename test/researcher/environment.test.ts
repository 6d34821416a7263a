import { describe, expect, it } from "vitest";
import { childEnvironment, configFolderOf, foreignEndpoint, scrub } from "../../guild-members/researcher/environment.ts";

const built = (own: Record<string, string>) => childEnvironment({ PATH: "/bin", HOME: "/home/ann", ...own }, "/job/sdk");

describe("the environment of the agent's process", () => {
  it("holds the way to the model and nothing else of the member's own (SEC-9)", () => {
    const environment = built({
      ANTHROPIC_API_KEY: "k",
      HTTPS_PROXY: "http://proxy",
      GUILD_HALL_MEMBER: "mark",
      PLANTED: "x",
      NODE_OPTIONS: "-r x",
    });

    expect(environment).toMatchObject({
      PATH: "/bin",
      HOME: "/job/sdk/home",
      CLAUDE_CONFIG_DIR: "/job/sdk/config",
      TMPDIR: "/job/sdk/tmp",
      ANTHROPIC_API_KEY: "k",
      HTTPS_PROXY: "http://proxy",
      GUILD_HALL_MEMBER: "mark",
    });
    expect(Object.keys(environment)).not.toEqual(expect.arrayContaining([expect.stringMatching(/PLANTED|NODE_OPTIONS/)]));
  });

  it("says to the SDK that it may run for root, where it does", () => {
    expect(built({})["IS_SANDBOX"]).toBe(process.getuid?.() === 0 ? "1" : undefined);
  });

  it("leaves a login in the folders it was made in", () => {
    expect(built({})).toMatchObject({ HOME: "/home/ann" });
    expect(configFolderOf(built({}))).toBe("/home/ann/.claude");
    expect(built({ CLAUDE_CONFIG_DIR: "/home/ann/.claude" })).toMatchObject({ CLAUDE_CONFIG_DIR: "/home/ann/.claude" });
    expect(built({})).not.toHaveProperty("CLAUDE_CONFIG_DIR");
  });

  it("gives a server of one's own the key that the SDK wants", () => {
    expect(built({ ANTHROPIC_BASE_URL: "http://127.0.0.1:11434" })).toMatchObject({ ANTHROPIC_AUTH_TOKEN: "none", HOME: "/job/sdk/home" });
    expect(built({ ANTHROPIC_BASE_URL: "http://127.0.0.1:11434", ANTHROPIC_API_KEY: "k" })).not.toHaveProperty("ANTHROPIC_AUTH_TOKEN");
  });

  it("says where there is no web search", () => {
    expect(foreignEndpoint({})).toBeNull();
    expect(foreignEndpoint({ ANTHROPIC_BASE_URL: "https://api.anthropic.com" })).toBeNull();
    expect(foreignEndpoint({ ANTHROPIC_BASE_URL: "http://ann:secret@127.0.0.1:11434/v1" })).toBe("http://127.0.0.1:11434");
  });

  it("keeps credentials out of words", () => {
    const own = {
      ANTHROPIC_API_KEY: "sk-12345678",
      ANTHROPIC_CUSTOM_HEADERS: "x-gateway: gate-12345678\nx-team: blue",
      ANTHROPIC_BASE_URL: "http://ann:pass%2012345678@127.0.0.1:11434",
    };

    expect(scrub("The key sk-12345678 is wrong, gate-12345678 and pass 12345678 too, and blue is a colour.", own)).toBe(
      "The key [removed] is wrong, [removed] and [removed] too, and blue is a colour.",
    );
  });
});
