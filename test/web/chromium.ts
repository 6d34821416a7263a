import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export type Chromium = { executablePath: string; env: Record<string, string> };

const packages = join(import.meta.dirname, "../../node_modules");
const cache = join(packages, ".cache/guild-hall");

/**
 * The browser that comes with the npm package, unpacked once per version. The package unpacks in place, so that two at
 * once or one that is killed leave half a browser behind; here it unpacks aside and is moved in whole.
 */
export async function unpackChromium(): Promise<Chromium> {
  const manifest = await readFile(join(packages, "@sparticuz/chromium/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string }; // npm checked it when it installed the package
  const folder = join(cache, `chromium-${version}`);
  if (!(await exists(folder))) await unpackInto(folder);
  return {
    executablePath: join(folder, "chromium"),
    // Libraries and fonts that a bare machine lacks come with the package too. Without a locale names of files have no ü.
    env: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_FILE: join(folder, "fonts.conf"), LC_ALL: "C.UTF-8" },
  };
}

async function unpackInto(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const aside = await mkdtemp(join(cache, "unpacking-"));
  const program = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";
  // The package unpacks into the temporary folder, and its libraries only where it takes itself to be on Amazon Linux.
  const env = { ...process.env, TMPDIR: aside, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" };
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { cwd: import.meta.dirname, env });
  // Its own list of font folders names places of Amazon's machines.
  await writeFile(
    join(aside, "fonts.conf"),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`,
  );
  await rename(aside, folder).catch(async (error: unknown) => {
    await rm(aside, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
