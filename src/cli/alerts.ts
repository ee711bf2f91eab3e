import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { Option } from "commander";
import {
  AlertSchema,
  GetAlertResponseSchema,
  SendAlertResponseSchema,
  StoredAlertSchema,
} from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { readObjects } from "./input/read-objects.ts";
import { InputError } from "./input/read-options.ts";
import { shownName } from "./input/read-text.ts";
import { listCommand } from "./list-command.ts";
import { explanationText, outcomeText } from "./output/alert-text.ts";
import { plainTime, printable, shortened } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod alert` */
export const alerts = commandGroup("alert", "Alerts, and how alert rules handled them.", () => [
  alertSend,
  alertList,
  alertShow,
]);

interface SendOptions {
  readonly eventType?: string;
  readonly severity?: string;
  readonly source?: string;
  readonly message?: string;
  readonly entityType?: string;
  readonly entityId?: string;
  readonly context?: readonly string[];
  readonly status?: string;
  readonly dedupKey?: string;
  readonly idempotencyKey: string;
}

/** `hermod alert send`: an alert from a file, from options, or from both. */
const alertSend = showCommand({
  name: "send",
  description: "Send an alert. Options override the values in the file.",
  arguments: [["[file]", "YAML or JSON file with the alert, or - for standard input"]],
  options: [
    ["--event-type <type>", "type of the event, for example disk.full"],
    new Option("--severity <severity>", "severity of the alert").choices(["info", "warning", "critical"]),
    ["--source <source>", "system that reports the alert"],
    ["--message <text>", "text for people"],
    ["--entity-type <type>", "kind of the affected entity, for example host"],
    ["--entity-id <id>", "id of the affected entity"],
    ["--context <name=value...>", "additional values"],
    new Option("--status <status>", "status of the alert").choices(["firing", "resolved", "acknowledged"]),
    ["--dedup-key <key>", "alerts with the same key are updates of one alert"],
    ["--idempotency-key <key>", "a repeated alert with the same key is accepted once", ""],
  ],
  call: async ({ core, account, args: [file], environment }, options: SendOptions) => {
    const { idempotencyKey, context, ...own } = options;
    const [given = {}, ...others] = file === undefined ? [] : await readObjects(file, environment.input);
    if (others.length > 0) throw new InputError("The file must hold one alert.");
    const inFile = decodeMessage(
      AlertSchema,
      { ...given, ...(context && { context: contextOf(context, given.context) }) },
      { name: file === undefined ? "The command line" : shownName(file), noun: "alert" },
    );
    const alert = { ...inFile, ...own };
    return { sent: await core.alerts.sendAlert({ accountId: account, idempotencyKey, alert }) };
  },
  of: "sent",
  schema: SendAlertResponseSchema,
  text: ({ alertId, outcome }) => outcomeText(alertId, outcome),
  note: ({ outcome }) => (outcome?.status === "unmatched" ? UNMATCHED : undefined),
});

const UNMATCHED =
  "No alert rule matches the alert: it is stored, and no mail is sent. `hermod alert-rule test` shows why. `hermod alert-rule catch-all` creates a rule for critical alerts that no other rule matches.";

/**
 * Context of the options, merged over the context of the file. Texts that are numbers or booleans become JSON numbers or booleans.
 * @throws InputError
 */
function contextOf(pairs: readonly string[], known: JsonValue = {}): JsonObject {
  if (typeof known !== "object" || known === null || Array.isArray(known))
    throw new InputError("`context` in the file must be an object, so that --context can add to it.");
  const added = pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at <= 0) throw new InputError(`--context must be name=value, but is "${printable(pair)}".`);
    const text = pair.slice(at + 1);
    return [pair.slice(0, at), isPlain(text) ? JSON.parse(text) : text];
  });
  return { ...known, ...Object.fromEntries(added) };
}

/** False for a number with leading zeros or too many digits: it is an identifier. */
function isPlain(text: string): boolean {
  if (text === "true" || text === "false") return true;
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;
}

interface ListOptions {
  readonly severity?: string;
  readonly outcome?: string;
  readonly source?: string;
  readonly rule?: string;
  readonly incident?: string;
  readonly text?: string;
}

/** `hermod alert list`: newest first. */
const alertList = listCommand({
  description: "List alerts, newest first.",
  options: [
    new Option("--severity <severity>", "only alerts of this severity").choices([
      "info",
      "warning",
      "critical",
    ]),
    new Option("--outcome <outcome>", "only alerts with this outcome").choices([
      "routed",
      "suppressed",
      "unmatched",
    ]),
    ["--source <source>", "only alerts of this source"],
    ["--rule <rule>", "only alerts that this rule matched"],
    ["--incident <incident>", "only alerts of this incident"],
    ["--text <text>", "only alerts with this text in their message, source, event type or entity"],
  ],
  limit: 50,
  call: ({ core, account, page }, options: ListOptions) => {
    const { severity, outcome, source = "", rule = "", incident: incidentId = "", text = "" } = options;
    const severities = severity === undefined ? [] : [severity];
    const outcomes = outcome === undefined ? [] : [outcome];
    const filter = { severities, outcomes, source, rule, incidentId, text };
    return core.alerts.listAlerts({ accountId: account, filter, ...page });
  },
  of: "alerts",
  schema: StoredAlertSchema,
  columns: [
    ["ALERT", ({ id }) => id],
    ["RECEIVED", ({ receivedAt }) => plainTime(receivedAt)],
    ["SEVERITY", ({ alert }) => alert?.severity ?? ""],
    ["STATUS", ({ outcome }) => outcome?.status ?? ""],
    ["MESSAGE", ({ alert }) => shortened(printable(`${alert?.source ?? ""}: ${alert?.message ?? ""}`), 60)],
  ],
  none: "No alerts match.",
});

/** `hermod alert show`: with the decision of every rule. */
const alertShow = showCommand({
  name: "show",
  description: "Show an alert, and the decision of each rule.",
  arguments: [["<alert>", "id of the alert"]],
  call: async ({ core, account, args: [id = ""] }) => ({
    found: await core.alerts.getAlert({ accountId: account, id }),
  }),
  of: "found",
  schema: GetAlertResponseSchema,
  text: ({ alert, rules }, { args: [id = ""] }) =>
    `${outcomeText(id, alert?.outcome)}\n\n${explanationText(rules)}`.trimEnd(),
});
