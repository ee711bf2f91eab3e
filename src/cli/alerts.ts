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
export const alerts = commandGroup("alert", "Alerts, and what rules made of them.", () => [
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

/** `hermod alert send`: an alert of a file, of options, or of both. */
const alertSend = showCommand({
  name: "send",
  description: "Feed in an alert; what options say takes the place of what the file says.",
  arguments: [["[file]", "a YAML or JSON file with the alert, or - for standard input"]],
  options: [
    ["--event-type <type>", "what happened, as disk.full"],
    new Option("--severity <severity>", "how bad it is").choices(["info", "warning", "critical"]),
    ["--source <source>", "who says it"],
    ["--message <text>", "for people"],
    ["--entity-type <type>", "what kind of thing it is about, as host"],
    ["--entity-id <id>", "which one"],
    ["--context <name=value...>", "what else there is to say"],
    new Option("--status <status>", "how it stands").choices(["firing", "resolved", "acknowledged"]),
    ["--dedup-key <key>", "alerts with the same one are about the same thing"],
    ["--idempotency-key <key>", "the same alert with the same key is taken once", ""],
  ],
  call: async ({ core, account, args: [file], surroundings }, options: SendOptions) => {
    const { idempotencyKey, context, ...own } = options;
    const [given = {}, ...others] = file === undefined ? [] : await readObjects(file, surroundings.input);
    if (others.length > 0) throw new InputError("The file must hold one alert.");
    const inFile = decodeMessage(
      AlertSchema,
      { ...given, ...(context && { context: contextOf(context, given.context) }) },
      { name: file === undefined ? "What is given" : shownName(file), noun: "alert" },
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
  "No alert rule matches it: it is stored and mailed to nobody. `hermod alert-rule test` shows why, and `hermod alert-rule catch-all` makes a rule for critical alerts that no other rule takes.";

/**
 * What options say, over what the file says. Texts that are numbers, or true or false, are that.
 * @throws InputError
 */
function contextOf(pairs: readonly string[], known: JsonValue = {}): JsonObject {
  if (typeof known !== "object" || known === null || Array.isArray(known))
    throw new InputError("The context in the file is no object: --context cannot add to it.");
  const added = pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at <= 0) throw new InputError(`--context takes name=value, and not "${printable(pair)}".`);
    const text = pair.slice(at + 1);
    return [pair.slice(0, at), isPlain(text) ? JSON.parse(text) : text];
  });
  return { ...known, ...Object.fromEntries(added) };
}

/** Not so a number with zeros before it, or one that would lose digits: those name things. */
function isPlain(text: string): boolean {
  if (text === "true" || text === "false") return true;
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;
}

/** `hermod alert list`: the latest first. */
const alertList = listCommand({
  description: "List alerts, the latest first.",
  limit: 50,
  call: ({ core, account, page }) => core.alerts.listAlerts({ accountId: account, ...page }),
  of: "alerts",
  schema: StoredAlertSchema,
  columns: [
    ["ALERT", ({ id }) => id],
    ["RECEIVED", ({ receivedAt }) => plainTime(receivedAt)],
    ["SEVERITY", ({ alert }) => alert?.severity ?? ""],
    ["STATUS", ({ outcome }) => outcome?.status ?? ""],
    ["MESSAGE", ({ alert }) => shortened(printable(`${alert?.source ?? ""}: ${alert?.message ?? ""}`), 60)],
  ],
  none: "No alert came in.",
});

/** `hermod alert show`: with the reason of every rule. */
const alertShow = showCommand({
  name: "show",
  description: "Show an alert, and what each rule made of it.",
  arguments: [["<alert>", "its id"]],
  call: async ({ core, account, args: [id = ""] }) => ({
    found: await core.alerts.getAlert({ accountId: account, id }),
  }),
  of: "found",
  schema: GetAlertResponseSchema,
  text: ({ alert, rules }, { args: [id = ""] }) =>
    `${outcomeText(id, alert?.outcome)}\n\n${explanationText(rules)}`.trimEnd(),
});
