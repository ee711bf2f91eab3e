import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import {
  AlertSchema,
  GetAlertResponseSchema,
  SendAlertResponseSchema,
  StoredAlertSchema,
} from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { readObjects } from "./input/read-objects.ts";
import { InputError, readLimit } from "./input/read-options.ts";
import { shownName } from "./input/read-text.ts";
import { explanationText, messageJson, outcomeText } from "./output/alert-text.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable, shortened } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod alert` */
export function alerts(program: Command, surroundings: Surroundings): void {
  const group = program.command("alert").description("Alerts, and what rules made of them.");
  alertSend(group, surroundings);
  alertList(group, surroundings);
  alertShow(group, surroundings);
}

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
function alertSend(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("send")
    .argument("[file]", "a YAML or JSON file with the alert, or - for standard input")
    .description("Feed in an alert; what options say takes the place of what the file says.")
    .option("--event-type <type>", "what happened, as disk.full")
    .addOption(new Option("--severity <severity>", "how bad it is").choices(["info", "warning", "critical"]))
    .option("--source <source>", "who says it")
    .option("--message <text>", "for people")
    .option("--entity-type <type>", "what kind of thing it is about, as host")
    .option("--entity-id <id>", "which one")
    .option("--context <name=value...>", "what else there is to say")
    .addOption(
      new Option("--status <status>", "how it stands").choices(["firing", "resolved", "acknowledged"]),
    )
    .option("--dedup-key <key>", "alerts with the same one are about the same thing")
    .option("--idempotency-key <key>", "the same alert with the same key is taken once", "");
  coreCommand<SendOptions>(surroundings, command, async ({ core, account, args: [file] }, options) => {
    const { idempotencyKey, context, ...own } = options;
    const [given = {}, ...others] = file === undefined ? [] : await readObjects(file, surroundings.input);
    if (others.length > 0) throw new InputError("The file must hold one alert.");
    const inFile = decodeMessage(
      AlertSchema,
      { ...given, ...(context && { context: contextOf(context, given.context) }) },
      { name: file === undefined ? "What is given" : shownName(file), noun: "alert" },
    );
    const alert = { ...inFile, ...own };
    const sent = await core.alerts.sendAlert({ accountId: account, idempotencyKey, alert });
    return {
      json: messageJson(SendAlertResponseSchema, sent),
      text: () => outcomeText(sent.alertId, sent.outcome),
      ...(sent.outcome?.status === "unmatched" && { note: UNMATCHED }),
    };
  });
}

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
function alertList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List alerts, the latest first.")
    .option("--limit <number>", "so many at most: 1 to 1000", readLimit, 50);
  coreCommand<{ readonly limit: number }>(
    surroundings,
    command,
    async ({ core, account, paint }, { limit }) => {
      const found = await core.alerts.listAlerts({ accountId: account, pageSize: limit });
      const rows = found.alerts.map(({ id, receivedAt, alert, outcome }) => [
        ...[id, plainTime(receivedAt), alert?.severity ?? "", outcome?.status ?? ""],
        shortened(printable(`${alert?.source ?? ""}: ${alert?.message ?? ""}`), 60),
      ]);
      return {
        json: listJson(found.alerts.map((one) => messageJson(StoredAlertSchema, one))),
        text: () =>
          table(paint, ["ALERT", "RECEIVED", "SEVERITY", "STATUS", "MESSAGE"], rows, "No alert came in."),
      };
    },
  );
}

/** `hermod alert show`: with the reason of every rule. */
function alertShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<alert>", "its id")
    .description("Show an alert, and what each rule made of it.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const found = await core.alerts.getAlert({ accountId: account, id });
    return {
      json: messageJson(GetAlertResponseSchema, found),
      text: () => `${outcomeText(id, found.alert?.outcome)}\n\n${explanationText(found.rules)}`.trimEnd(),
    };
  });
}
