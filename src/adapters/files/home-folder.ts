import { chmod, readdir, realpath, stat } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { makeFolder } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { createLayout } from "./layout.ts";

/** Makes the home folder, or takes one that is there: it becomes private to this user, and is refused where it is plainly something else. */
export async function claimFolder(home: string): Promise<void> {
  await makeFolder(home);
  try {
    const { mode } = await stat(home);
    // Programs start from it, so another user who owns it could have them run as this one.
    for (const folder of [home, createLayout(home).guildMembers]) await mustBeOwn(folder);
    await mustLieSafely(home);
    const strangers = strangersAmong(await readdir(home));
    if (strangers.length > 0) throw notAHome(home, strangers);
    if ((mode & 0o077) !== 0) await closeToOthers(home, mode);
  } catch (error) {
    throw fileFailure(error, home);
  }
}

async function mustBeOwn(folder: string): Promise<void> {
  const self = process.getuid?.();
  const owner = await stat(folder).then(
    ({ uid }) => uid,
    (error: unknown) => (systemCode(error) === "ENOENT" ? self : Promise.reject(error)),
  );
  if (self === undefined || owner === self) return;
  throw new HallError(
    "home_unusable",
    `${folder} belongs to another user (${owner}), and this hall runs as user ${self}. Run the hall as user ${owner}, give the folder and all in it to user ${self} with chown -R, or choose another with --home.`,
    { details: { path: folder } },
  );
}

/** The owner of a folder above the home can put another folder in its place. Root is allowed, because it can do anything. */
async function mustLieSafely(home: string): Promise<void> {
  const self = process.getuid?.();
  for (let folder = dirname(await realpath(home)); self !== undefined; folder = dirname(folder)) {
    const { uid } = await stat(folder);
    if (uid !== self && uid !== 0 && (uid !== nobody || self === 0)) {
      throw new HallError(
        "home_unusable",
        `${folder} belongs to another user (${uid}), who could put another folder in the place of ${home}. Choose another with --home.`,
        { details: { path: folder } },
      );
    }
    if (folder === dirname(folder)) return;
  }
}

/** In a container with a user namespace, an ordinary user sees this owner on folders of the system. */
const nobody = 65_534;

/** A folder full of other things, such as `/tmp`, must neither be closed to others nor filled. Hidden files say nothing about a folder. */
function strangersAmong(names: readonly string[]): string[] {
  if (names.includes("version")) return [];
  const layout = createLayout("/");
  const { config, personKey, guildMembers, removedMembers, nodeModules, sessions, state, claude, logs, workers, jobs } = layout;
  const paths = [config, personKey, guildMembers, removedMembers, nodeModules, sessions, state, claude.folder, logs, workers, jobs];
  const known = new Set([...paths.map((path) => relative("/", path)), "packages", "lost+found"]);
  return names.filter((name) => !known.has(name) && !name.startsWith("."));
}

const notAHome = (home: string, strangers: readonly string[]): HallError =>
  new HallError(
    "home_unusable",
    `${home} is not a home of Guild Hall: it holds other things (${strangers.slice(0, 3).join(", ")}${strangers.length > 3 ? ", …" : ""}). Choose an empty folder with --home or GUILD_HALL_HOME.`,
    { details: { path: home } },
  );

async function closeToOthers(home: string, mode: number): Promise<void> {
  try {
    await chmod(home, 0o700);
  } catch (cause) {
    throw new HallError(
      "home_unusable",
      `Other users can look into ${home} (mode ${(mode & 0o777).toString(8)}), and this user may not change that. Run chmod 700 on it as its owner, or choose a folder inside it.`,
      { cause, details: { path: home } },
    );
  }
}
