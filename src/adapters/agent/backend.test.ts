import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { setStage } from "./agent-stage.testing.ts";
import { findBackend } from "./backend.ts";
import { childEnvironment } from "./child-environment.ts";

const key = "sk-ant-very-secret";

async function emptyHome(): Promise<string> {
  const userHome = await mkdtemp(join(tmpdir(), "guild-hall-login-"));
  onTestFinished(() => rm(userHome, { recursive: true, force: true }));
  return userHome;
}

async function homeWith(file: string, content: unknown): Promise<string> {
  const userHome = await emptyHome();
  await mkdir(join(userHome, ".claude"));
  await writeFile(join(userHome, file), typeof content === "string" ? content : JSON.stringify(content));
  return userHome;
}

const login = {
  claudeAiOauth: { accessToken: key, refreshToken: key, expiresAt: 4_102_444_800_000, scopes: ["user:inference"], subscriptionType: "max" },
};

describe("which model answers", () => {
  it.each(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"])(
    "is Claude where %s is set, and its value is not told",
    async (name) => {
      const { info, childEnv } = await findBackend({ env: { [name]: key, HOME: "/home/ada", SECRET: "x" }, userHome: await emptyHome() });

      expect(info.backend).toBe("claude");
      expect(info.detail).toContain(name);
      expect(JSON.stringify(info)).not.toContain(key);
      expect(childEnv).toEqual({ [name]: key });
    },
  );

  it("is Claude too when the address is Anthropic's own", async () => {
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: "https://api.anthropic.com/" };

    const { info } = await findBackend({ env, userHome: await emptyHome() });

    expect(info.backend).toBe("claude");
  });

  it("is an endpoint where the address is another one, with a stand-in where no key is needed", async () => {
    const env = { ANTHROPIC_BASE_URL: "http://ada:hunter22@localhost:11434/v1?token=hunter22" };

    const { info, childEnv } = await findBackend({ env, userHome: await homeWith(".claude/.credentials.json", login) });

    expect(info.backend).toBe("endpoint");
    expect(info.detail).toContain("http://localhost:11434");
    expect(JSON.stringify(info)).not.toContain("hunter22");
    expect(childEnv).toEqual({ ANTHROPIC_BASE_URL: env.ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN: "none" });
  });

  it("is Claude with the person's own login, in the person's own folder", async () => {
    const userHome = await homeWith(".claude/.credentials.json", login);

    const { info, childEnv } = await findBackend({ env: {}, userHome, platform: "linux" });

    expect(info.backend).toBe("claude");
    expect(info.detail).toContain("login");
    expect(JSON.stringify([info, childEnv])).not.toContain(key);
    expect(childEnv).toEqual({ CLAUDE_CONFIG_DIR: join(userHome, ".claude") });
  });

  it("finds a login where CLAUDE_CONFIG_DIR says it is", async () => {
    const userHome = await homeWith("elsewhere", "");
    await rm(join(userHome, "elsewhere"));
    await mkdir(join(userHome, "elsewhere"));
    await writeFile(join(userHome, "elsewhere/.credentials.json"), JSON.stringify(login));

    const { childEnv } = await findBackend({ env: { CLAUDE_CONFIG_DIR: join(userHome, "elsewhere") }, userHome });

    expect(childEnv).toEqual({ CLAUDE_CONFIG_DIR: join(userHome, "elsewhere") });
  });

  it("is Claude with a login that macOS keeps in its keychain, where the process must look as the person's own does", async () => {
    const userHome = await homeWith(".claude.json", { oauthAccount: { emailAddress: "ada@example.org" } });

    const onMac = await findBackend({ env: {}, userHome, platform: "darwin" });
    const onLinux = await findBackend({ env: {}, userHome, platform: "linux" });

    expect(onMac.info.detail).toContain("keychain");
    const folders = { home: "/h", config: "/c", temporary: "/t" };
    const environment = childEnvironment({ folders, backend: onMac.childEnv, host: {}, maxRetries: 5 });
    expect(environment).toMatchObject({ HOME: userHome, TMPDIR: "/t" });
    expect(environment).not.toHaveProperty("CLAUDE_CONFIG_DIR");
    expect(onLinux.info.backend).toBe("demo");
  });

  it("is Claude with the key that a login with a console account has stored", async () => {
    const userHome = await homeWith(".claude.json", { primaryApiKey: key });

    const { info, childEnv } = await findBackend({ env: {}, userHome, platform: "linux" });

    expect(info.backend).toBe("claude");
    expect(JSON.stringify([info, childEnv])).not.toContain(key);
    expect(childEnv["HOME"]).toBe(userHome);
  });

  it.each(["", "not json", "{}", '{"claudeAiOauth":null}'])("is the demo where the login file holds %j", async (content) => {
    const { info } = await findBackend({ env: {}, userHome: await homeWith(".claude/.credentials.json", content) });

    expect(info.backend).toBe("demo");
  });

  it("is the demo where nothing is configured, empty variables included, and says how to change that", async () => {
    const env = { ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: " " };

    const { info, childEnv } = await findBackend({ env, userHome: await emptyHome(), demoUrl: "http://127.0.0.1:9999" });

    expect(info.backend).toBe("demo");
    expect(info.detail).toContain("ANTHROPIC_API_KEY");
    expect(childEnv).toEqual({ ANTHROPIC_API_KEY: "demo", ANTHROPIC_BASE_URL: "http://127.0.0.1:9999" });
  });

  it("passes proxies and certificates on, and the model that was asked for", async () => {
    const env = {
      ANTHROPIC_API_KEY: key,
      HTTPS_PROXY: "http://proxy:1",
      no_proxy: "localhost",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      GUILD_HALL_MODEL: "sonnet",
    };

    const found = await findBackend({ env, userHome: await emptyHome() });
    const told = await findBackend({ env, userHome: await emptyHome(), model: "opus" });

    expect(found.childEnv).toEqual({
      ANTHROPIC_API_KEY: key,
      HTTPS_PROXY: "http://proxy:1",
      no_proxy: "localhost",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
    });
    expect([found.model, found.info.name]).toEqual(["sonnet", "sonnet"]);
    expect(told.model).toBe("opus");
  });
});

it("the SDK really runs on a login that lies in the person's folder, with no key in sight", async () => {
  const userHome = await homeWith(".claude/.credentials.json", login);
  const { childEnv } = await findBackend({ env: {}, userHome, platform: "linux" });
  let url = "";
  const stage = await setStage([{ text: "I know you." }], {}, { backend: () => ({ childEnv: { ...childEnv, ANTHROPIC_BASE_URL: url } }) });
  url = stage.model.url;

  const { ending } = await stage.play();

  expect(ending).toEqual({ outcome: "completed", text: "I know you." });
});
