import { join } from "node:path";
import { createLayout } from "../../server/without-hall.ts";
import type { ServicePlan } from "./service-plan.ts";
import { shellWord } from "./shell-word.ts";

/** A property list for the launchd of one user. */
export const launchdPlist = ({ command, home, searchPath, keys }: ServicePlan): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!--
Guild Hall as a service of this user.

Install it: save this as ~/Library/LaunchAgents/guild-hall.plist, and
  mkdir -p -m 700 ${commentWord(home)} ${commentWord(createLayout(home).logs)}
  launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/guild-hall.plist
From then on it starts when you log in; launchd starts no program of a user who is not.
Look at it:
  launchctl print gui/$(id -u)/guild-hall
  tail -f ${commentWord(logOf(home))}
Start it anew, after an update or a change of config.yaml:
  launchctl kickstart -k gui/$(id -u)/guild-hall
Remove it:
  launchctl bootout gui/$(id -u)/guild-hall
  rm ~/Library/LaunchAgents/guild-hall.plist

Keys do not belong here: what is here can be read by others. Make a file that only you can read,
  touch ${commentWord(keys)}
  chmod 600 ${commentWord(keys)}
and write into it, a line for each, what this hall needs: ANTHROPIC_API_KEY=…, CLAUDE_CODE_OAUTH_TOKEN=…,
GUILD_HALL_TOKEN=…, HTTPS_PROXY=… A hall without any answers with the demo model.
-->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>guild-hall</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${xmlText(word)}</string>\n`).join("")}  </array>
  <!-- The hall reads .env.local of its home folder. -->
  <key>WorkingDirectory</key>
  <string>${xmlText(home)}</string>
${searchPath === "" ? "" : environment(searchPath)}  <key>StandardOutPath</key>
  <string>${xmlText(logOf(home))}</string>
  <key>StandardErrorPath</key>
  <string>${xmlText(logOf(home))}</string>
  <key>RunAtLoad</key>
  <true/>
  <!-- Started again where it failed, at most once in 30 seconds; not where it was stopped. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <!-- The hall takes at most 5 seconds to stop. -->
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <!-- Files are for this user alone (077), and a crash leaves no image of a memory that holds keys. -->
  <key>Umask</key>
  <integer>63</integer>
  <key>HardResourceLimits</key>
  <dict>
    <key>Core</key>
    <integer>0</integer>
  </dict>
</dict>
</plist>
`;

/** What it prints, beside the log of the hall itself. */
const logOf = (home: string): string => join(createLayout(home).logs, "service.log");

const environment = (searchPath: string): string => `  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${xmlText(searchPath)}</string>
  </dict>
`;

const xmlText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Two dashes end a comment of XML. Quotes that end and begin again between them change nothing for the shell. */
const commentWord = (path: string): string => {
  const word = shellWord(path);
  return word.includes("--") ? (word.startsWith("'") ? word : `'${word}'`).replaceAll(/-(?=-)/g, "-''") : word;
};
