import { Command } from "commander";
import { accounts } from "./accounts.ts";
import { alerts } from "./alerts.ts";
import { audits } from "./audits.ts";
import { backups } from "./backups.ts";
import { compact } from "./compact.ts";
import type { AddCommand } from "./core-command.ts";
import { deliveries } from "./deliveries.ts";
import { domains } from "./domains.ts";
import type { Environment } from "./environment.ts";
import { erasures } from "./erasures.ts";
import { events } from "./events.ts";
import { heartbeats } from "./heartbeats.ts";
import { incidents } from "./incidents.ts";
import { installation } from "./installation.ts";
import { intel } from "./intel.ts";
import { jobs } from "./jobs.ts";
import { keys } from "./keys.ts";
import { members } from "./members.ts";
import { messages } from "./messages.ts";
import { oncalls } from "./oncalls.ts";
import { hasColours } from "./output/paint.ts";
import { policies } from "./policies.ts";
import { queues } from "./queues.ts";
import { requests } from "./requests.ts";
import { rules } from "./rules.ts";
import { secrets } from "./secrets.ts";
import { senders } from "./senders.ts";
import { silences } from "./silences.ts";
import { smtpCredentials } from "./smtp-credentials.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { suppressions } from "./suppressions.ts";
import { targets } from "./targets.ts";
import { templates } from "./templates.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";

const EXIT_CODES = `
Exit codes: 0 done, 1 refused or failed, 2 wrong usage or settings.`;

/** Commands in the order of the help. A new area adds a line here. */
const commands: readonly AddCommand[] = [
  start,
  status,
  installation,
  accounts,
  users,
  members,
  keys,
  smtpCredentials,
  senders,
  domains,
  policies,
  templates,
  messages,
  jobs,
  secrets,
  queues,
  backups,
  compact,
  suppressions,
  erasures,
  audits,
  requests,
  alerts,
  rules,
  incidents,
  silences,
  oncalls,
  targets,
  heartbeats,
  intel,
  webhooks,
  deliveries,
  events,
];

/** The `hermod` command. Throws CommanderError where commander would exit the process. */
export function createProgram(environment: Environment): Command {
  const { out, err, version } = environment;
  const program = new Command("hermod")
    .description("Self-hosted e-mail delivery. Commands other than start need a running core.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text),
      getOutHasColors: () => hasColours(out),
      getErrHasColors: () => hasColours(err),
      outputError: (text, write) => write(text.replace(/^error: /, "hermod: ")),
    })
    .showHelpAfterError("(see --help)")
    .helpCommand("help [command]", "Show help for a command.")
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", EXIT_CODES);
  if (version !== undefined) program.version(version, "-V, --version", "show the version");

  for (const add of commands) add(program, environment);
  return program;
}
