import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** Where an SDK process finds the person's own login. Null leaves that folder as it is for other runs. */
export type Login = { home: string | null; config: string | null; words: string };

export type LoginQuestion = { userHome: string; configFolder: string | undefined; platform: NodeJS.Platform };

/** Looks for a login of the person, without reading more of it than that it is there. */
export async function findLogin({ userHome, configFolder, platform }: LoginQuestion): Promise<Login | null> {
  const config = configFolder ?? join(userHome, ".claude");
  const stored = Credentials.safeParse(await readJson(join(config, ".credentials.json")));
  if (stored.success) return { home: null, config, words: `your Claude login in ${config}` };

  // The rest is found only in the way the person's own `claude` finds it: by the home folder and the same variables.
  const place = { home: userHome, config: configFolder ?? null };
  const account = Account.safeParse(
    await readJson(configFolder === undefined ? join(userHome, ".claude.json") : join(config, ".claude.json")),
  );
  if (!account.success) return null;
  if (account.data.primaryApiKey !== undefined) return { ...place, words: "the key of your Claude login" };
  if (platform === "darwin" && account.data.oauthAccount !== undefined)
    return { ...place, words: "your Claude login in the macOS keychain" };
  return null;
}

const Credentials = z.looseObject({ claudeAiOauth: z.looseObject({ accessToken: z.string().min(1) }) });

const Account = z.looseObject({ primaryApiKey: z.string().min(1).optional(), oauthAccount: z.looseObject({}).optional() });

/** A file that is missing or cannot be read is no login. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}
