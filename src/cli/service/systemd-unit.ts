import type { ServicePlan } from "./service-plan.ts";
import { shellWord } from "./shell-word.ts";

/**
 * A unit for the systemd of one user. Members and agents are programs of that user, so it takes nothing from them: sandboxes
 * of systemd would hide their files or forbid them sudo.
 */
export const systemdUnit = ({ command, home, searchPath, keys }: ServicePlan): string => `# Guild Hall as a service of this user.
#
# Install it: save this as ~/.config/systemd/user/guild-hall.service, and
#   systemctl --user daemon-reload
#   systemctl --user enable --now guild-hall
# Let it run while you are not logged in, from the start of the machine on:
#   loginctl enable-linger
# Look at it:
#   systemctl --user status guild-hall
#   journalctl --user --follow --unit guild-hall
# Start it anew, after an update or a change of config.yaml:
#   systemctl --user restart guild-hall
# Remove it:
#   systemctl --user disable --now guild-hall
#   rm ~/.config/systemd/user/guild-hall.service
#   systemctl --user daemon-reload
#
# Keys do not belong here: what is here can be read by others. Make a file that only you can read,
#   mkdir -p -m 700 ${shellWord(home)}
#   touch ${shellWord(keys)}
#   chmod 600 ${shellWord(keys)}
# and write into it, a line for each, what this hall needs: ANTHROPIC_API_KEY=…, CLAUDE_CODE_OAUTH_TOKEN=…,
# GUILD_HALL_TOKEN=…, HTTPS_PROXY=… A hall without any answers with the demo model.

[Unit]
Description=Guild Hall
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${execStart(command)}
# The hall reads .env.local of its home folder.
WorkingDirectory=${specifierFree(home)}/
${searchPath === "" ? "" : `Environment=${quotedWord(`PATH=${searchPath}`)}\n`}Restart=on-failure
RestartSec=5
# A mistake in the settings does not go away by itself.
RestartPreventExitStatus=2
# Only the hall is asked to stop: it ends its agents and members itself, and writes down what it interrupted. What is
# left after it is killed. It takes at most 5 seconds.
KillMode=mixed
TimeoutStopSec=20
# A member that takes all memory is killed alone.
OOMPolicy=continue
# Files are for this user alone, and a crash leaves no image of a memory that holds keys.
UMask=0077
LimitCORE=0
# Uncomment it where no member and no agent needs sudo or another program that runs with more rights than you have:
#NoNewPrivileges=yes

[Install]
WantedBy=default.target
`;

/**
 * systemd takes the path of a program literally but for its quoting, and refuses quotes and backslashes in it. A shell that
 * becomes the program takes any.
 */
function execStart(command: readonly [string, ...string[]]): string {
  const [program, ...args] = command;
  const words = /["'\\$]/.test(program) ? ["/bin/sh", "-c", 'exec "$0" "$@"', ...command] : [program, ...args];
  return words.map((word) => quotedWord(word).replaceAll("$", "$$$$")).join(" ");
}

/** In quotes: a backslash before itself and before quotes, and a % before itself, which stands for a specifier otherwise. */
const quotedWord = (text: string): string => {
  const free = specifierFree(text);
  return /^[\w@+=:,./$%-]+$/.test(free) ? free : `"${free.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
};

const specifierFree = (text: string): string => text.replaceAll("%", "%%");
