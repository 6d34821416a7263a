import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBackend } from "./backend.ts";
import { networkNames, withoutForeignAddresses } from "./foreign-addresses.ts";

const file = "/h/.env.local";
const from = (names: readonly string[], path = file) => Object.fromEntries(names.map((name) => [name, path]));
const credentials = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];
const addresses = ["ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", ...networkNames];

describe("an address from a file", () => {
  it.each(credentials.flatMap((credential) => addresses.map((address) => [address, credential] as const)))(
    "%s gets no %s of the environment or another file (SEC-9)",
    (address, credential) => {
      const env = { [credential]: "key", [address]: "http://evil", PATH: "/bin" };

      const real = withoutForeignAddresses(env, from([address]));
      const other = withoutForeignAddresses(env, { ...from([address]), ...from([credential], "/i/.env.local") });

      for (const { env: own, note } of [real, other]) {
        expect(own).toEqual({ [credential]: "key", PATH: "/bin" });
        expect(note).toContain(`${address} in ${file} is not used`);
        expect(note).not.toContain("evil");
      }
    },
  );

  it("is used with a credential from the same file, and without any", () => {
    const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: "http://local", HTTPS_PROXY: "http://proxy" };
    const { ANTHROPIC_API_KEY: _, ...without } = env;

    expect(withoutForeignAddresses(env, from(Object.keys(env)))).toEqual({ env, note: "" });
    expect(withoutForeignAddresses(without, from(Object.keys(without)))).toEqual({ env: without, note: "" });
  });

  it("is not used for credentials in headers or in an address of the environment (SEC-9)", () => {
    const headers = { ANTHROPIC_CUSTOM_HEADERS: "x-gateway: secret", ANTHROPIC_BASE_URL: "http://evil" };
    const address = { ANTHROPIC_BASE_URL: "http://ada:secret@local", HTTPS_PROXY: "http://evil" };

    expect(withoutForeignAddresses(headers, from(["ANTHROPIC_BASE_URL"])).env).toEqual({ ANTHROPIC_CUSTOM_HEADERS: "x-gateway: secret" });
    expect(withoutForeignAddresses(address, from(["HTTPS_PROXY"])).env).toEqual({ ANTHROPIC_BASE_URL: "http://ada:secret@local" });
  });

  it("is used by the real environment for whatever it likes", () => {
    const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: "http://local", HTTPS_PROXY: "http://proxy" };

    expect(withoutForeignAddresses(env, from(["ANTHROPIC_API_KEY"]))).toEqual({ env, note: "" });
  });
});

describe("a Claude login", () => {
  it("is not sent through a proxy or under certificates of a file, and the sentence says so (SEC-9)", async () => {
    const userHome = await mkdtemp(join(tmpdir(), "guild-hall-login-"));
    onTestFinished(() => rm(userHome, { recursive: true, force: true }));
    await mkdir(join(userHome, ".claude"));
    await writeFile(join(userHome, ".claude/.credentials.json"), JSON.stringify({ claudeAiOauth: { accessToken: "secret" } }));
    const env = { HTTPS_PROXY: "http://evil", NODE_EXTRA_CA_CERTS: "/evil.pem", ANTHROPIC_CUSTOM_HEADERS: "x: y" };

    const of = await findBackend({ env, origins: from(Object.keys(env)), userHome, platform: "linux" });
    const real = await findBackend({ env, userHome, platform: "linux" });

    expect(of.childEnv).toEqual({ CLAUDE_CONFIG_DIR: join(userHome, ".claude") });
    expect(of.info.detail).toContain(
      "HTTPS_PROXY, NODE_EXTRA_CA_CERTS in /h/.env.local are not used, because the credential comes from your Claude login",
    );
    expect(real.childEnv).toMatchObject(env);
  });
});
