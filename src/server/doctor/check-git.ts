import { execFile } from "node:child_process";
import type { Finding } from "./finding.ts";

export function checkGit(path: string | undefined): Promise<Finding> {
  return new Promise((resolve) => {
    execFile("git", ["--version"], { env: { ...process.env, PATH: path }, timeout: 5000 }, (error, stdout) => {
      if (error === null) resolve({ status: "ok", detail: `${stdout.trim()}.` });
      else
        resolve({
          status: "warn",
          detail: "git was not found or does not answer.",
          advice: "Install git: work on projects needs it. Sessions do not.",
        });
    });
  });
}
