import { Option } from "commander";
import {
  type Heartbeat,
  HeartbeatPingSchema,
  HeartbeatSchema,
} from "../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { type CommandOption, commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, readSpan, withoutEmpty } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import type { Paint } from "./output/paint.ts";
import { plainTime, printable, span } from "./output/text.ts";
import { removeCommand } from "./remove-command.ts";
import { required, showCommand } from "./show-command.ts";

/** `hermod heartbeat` */
export const heartbeats = commandGroup(
  "heartbeat",
  "Heartbeats, which raise an alert when a job does not report.",
  () => [
    heartbeatCreate,
    heartbeatList,
    heartbeatShow,
    heartbeatEdit,
    heartbeatPause,
    heartbeatResume,
    heartbeatRotate,
    heartbeatPings,
    heartbeatRemove,
  ],
);

const HEARTBEAT = ["<heartbeat>", "id of the heartbeat"] as const;

const SETTINGS: readonly CommandOption[] = [
  ["--period <span>", "time between two success pings, for example 1h", readSpan],
  ["--cron <expression>", "expected times, for example '5 2 * * *'"],
  ["--timezone <zone>", "time zone of --cron, for example Europe/Berlin"],
  ["--grace <span>", "time after the expected time until an alert is raised, for example 30m", readSpan],
  new Option("--severity <severity>", "severity of the alert").choices(["info", "warning", "critical"]),
  ["--event-type <type>", "event type of the alert"],
  ["--source <source>", "source of the alert"],
  ["--entity-type <type>", "entity type of the alert"],
  ["--entity-id <id>", "entity id of the alert"],
  ["--tag <tag>", 'tag; "": none; repeatable', collect],
];

interface Settings {
  readonly period?: number;
  readonly cron?: string;
  readonly timezone?: string;
  readonly grace?: number;
  readonly severity?: string;
  readonly eventType?: string;
  readonly source?: string;
  readonly entityType?: string;
  readonly entityId?: string;
  readonly tag?: readonly string[];
}

/** A new period replaces an expression, and the other way round. */
function settingsOf(name: string, options: Settings, before?: Heartbeat) {
  const { period, cron, grace, severity, eventType, source, entityType, entityId } = options;
  const isPeriod = period !== undefined && cron === undefined;
  const isCron = cron !== undefined && period === undefined;
  const periodSeconds = period ?? (isCron ? undefined : before?.periodSeconds);
  const graceSeconds = grace ?? before?.graceSeconds;
  return {
    name,
    ...(periodSeconds !== undefined && { periodSeconds }),
    cron: cron ?? (isPeriod ? "" : (before?.cron ?? "")),
    timezone: options.timezone ?? (isPeriod ? "" : (before?.timezone ?? "")),
    ...(graceSeconds !== undefined && { graceSeconds }),
    severity: severity ?? before?.severity ?? "",
    eventType: eventType ?? before?.eventType ?? "",
    source: source ?? before?.source ?? "",
    entityType: entityType ?? before?.entityType ?? "",
    entityId: entityId ?? before?.entityId ?? "",
    tags: withoutEmpty(options.tag) ?? before?.tags ?? [],
  };
}

interface WithToken {
  readonly token: string;
  readonly pingUrl: string;
}

const tokenJson = ({ token, pingUrl }: WithToken) => ({ token, ping_url: pingUrl || null });
const tokenText = ({ token, pingUrl }: WithToken) => pingUrl || token;

/** `hermod heartbeat create`: writes only the URL to standard output, or the token without a base URL. */
const heartbeatCreate = showCommand({
  name: "create",
  description: "Create a heartbeat and show the URL of its pings once.",
  arguments: [["<name>", "name of the heartbeat"]],
  options: SETTINGS,
  call: ({ core, account, args: [name = ""] }, options: Settings) =>
    core.heartbeats.createHeartbeat({ accountId: account, settings: settingsOf(name, options) }),
  of: "heartbeat",
  schema: HeartbeatSchema,
  also: (answer) => tokenJson(answer),
  text: (_heartbeat, { answer }) => tokenText(answer),
  note: ({ id, name }) =>
    `Created the heartbeat "${printable(name)}" (${id}). Its URL is a secret and is not shown again.`,
});

interface Filters {
  readonly search?: string;
  readonly state?: string;
  readonly tag?: string;
}

/** `hermod heartbeat list` */
const heartbeatList = listCommand({
  description: "List heartbeats.",
  options: [
    ["--search <text>", "only heartbeats with this text in the name"],
    new Option("--state <state>", "only heartbeats in this state").choices([
      "new",
      "up",
      "late",
      "down",
      "paused",
    ]),
    ["--tag <tag>", "only heartbeats with this tag"],
  ],
  call: ({ core, account, page }, { search = "", state = "", tag = "" }: Filters) =>
    core.heartbeats.listHeartbeats({ accountId: account, ...page, search, state, tag }),
  of: "heartbeats",
  schema: HeartbeatSchema,
  columns: [
    ["ID", ({ id }) => id],
    ["NAME", ({ name }) => printable(name)],
    ["STATE", ({ state }, paint) => stateText(state, paint)],
    ["EXPECTED", (heartbeat) => printable(timesText(heartbeat))],
    ["LAST SUCCESS", ({ lastSuccessAt }) => plainTime(lastSuccessAt) || "never"],
    ["NEXT DUE", ({ nextDueAt }) => plainTime(nextDueAt) || "-"],
  ],
  none: "There are no heartbeats.",
});

/** `hermod heartbeat show` */
const heartbeatShow = showCommand({
  name: "show",
  description: "Show a heartbeat.",
  arguments: [HEARTBEAT],
  call: ({ core, account, args: [id = ""] }) => core.heartbeats.getHeartbeat({ accountId: account, id }),
  of: "heartbeat",
  schema: HeartbeatSchema,
  text: (heartbeat, { paint }) => describe(heartbeat, paint),
});

interface Edit extends Settings, OnRevision {
  readonly name?: string;
}

/** `hermod heartbeat edit`: settings without an option stay. */
const heartbeatEdit = showCommand({
  name: "edit",
  description: "Change the settings of a heartbeat.",
  arguments: [HEARTBEAT],
  options: [["--name <name>", "new name"], ...SETTINGS, IF_REVISION],
  call: async ({ core, account, args: [id = ""] }, { name, ifRevision, ...options }: Edit) => {
    const { heartbeat } = await core.heartbeats.getHeartbeat({ accountId: account, id });
    const before = required(heartbeat, "heartbeat");
    const settings = settingsOf(name ?? before.name, options, before);
    // A change between the two calls is not overwritten.
    const asked = { accountId: account, id, settings, ifRevision: ifRevision ?? before.revision };
    return core.heartbeats.updateHeartbeat(asked);
  },
  of: "heartbeat",
  schema: HeartbeatSchema,
  text: (heartbeat) => `Changed the heartbeat ${heartbeat.id}: ${printable(timesText(heartbeat))}.`,
});

/** `hermod heartbeat pause` */
const heartbeatPause = showCommand({
  name: "pause",
  description: "Pause a heartbeat: no pings are expected, and an active alert is resolved.",
  arguments: [HEARTBEAT],
  call: ({ core, account, args: [id = ""] }) => core.heartbeats.pauseHeartbeat({ accountId: account, id }),
  of: "heartbeat",
  schema: HeartbeatSchema,
  text: ({ name }) => `Paused the heartbeat "${printable(name)}".`,
});

/** `hermod heartbeat resume` */
const heartbeatResume = showCommand({
  name: "resume",
  description: "Resume a heartbeat: pings are expected from now on.",
  arguments: [HEARTBEAT],
  call: ({ core, account, args: [id = ""] }) => core.heartbeats.resumeHeartbeat({ accountId: account, id }),
  of: "heartbeat",
  schema: HeartbeatSchema,
  text: ({ name, nextDueAt }) =>
    `Resumed the heartbeat "${printable(name)}". The next ping is due ${plainTime(nextDueAt) || "after the first one"}.`,
});

/** `hermod heartbeat rotate-token`: writes only the new URL to standard output, like `heartbeat create`. */
const heartbeatRotate = showCommand({
  name: "rotate-token",
  description: "Replace the token of a heartbeat and show the new URL once. The former one stops working.",
  arguments: [HEARTBEAT],
  call: ({ core, account, args: [id = ""] }) =>
    core.heartbeats.rotateHeartbeatToken({ accountId: account, id }),
  of: "heartbeat",
  schema: HeartbeatSchema,
  also: (answer) => tokenJson(answer),
  text: (_heartbeat, { answer }) => tokenText(answer),
  note: ({ name }) =>
    `Replaced the token of "${printable(name)}". The new URL is a secret and is not shown again.`,
});

/** `hermod heartbeat pings` */
const heartbeatPings = listCommand({
  name: "pings",
  description: "List the latest pings of a heartbeat.",
  arguments: [HEARTBEAT],
  call: ({ core, account, page, args: [id = ""] }) =>
    core.heartbeats.listHeartbeatPings({ accountId: account, id, ...page }),
  of: "pings",
  schema: HeartbeatPingSchema,
  columns: [
    ["NUMBER", ({ number }) => number],
    ["TIME", ({ at }) => plainTime(at)],
    ["KIND", ({ kind }) => kind],
    ["EXIT", ({ exitStatus }) => exitStatus ?? "-"],
    ["DURATION", ({ durationMs }) => (durationMs === undefined ? "-" : span(durationMs))],
    ["VIA", ({ via }) => via],
    ["FROM", ({ clientAddress }) => printable(clientAddress) || "-"],
  ],
  none: "There are no pings.",
});

/** `hermod heartbeat remove` */
const heartbeatRemove = removeCommand(
  {
    description: "Remove a heartbeat. An active alert is resolved.",
    arguments: [HEARTBEAT],
    options: [IF_REVISION],
  },
  async ({ core, account, args: [id = ""] }, options: OnRevision) => {
    await core.heartbeats.deleteHeartbeat({ accountId: account, id, ...options });
    return { text: `Removed the heartbeat ${printable(id)}.` };
  },
);

function stateText(state: string, paint: Paint): string {
  if (state === "down") return paint("red", state);
  if (state === "late") return paint("yellow", state);
  return state === "up" ? paint("green", state) : state;
}

function timesText({ periodSeconds, cron, timezone, graceSeconds }: Heartbeat): string {
  const isPeriod = periodSeconds !== undefined;
  const times = isPeriod ? `every ${span(periodSeconds * 1_000)}` : `${cron} (${timezone})`;
  return `${times}, grace ${span(graceSeconds * 1_000)}`;
}

function describe(heartbeat: Heartbeat, paint: Paint): string {
  const { name, id, state, downSince, downReason, lastSuccessAt, nextDueAt, alertAt, excusedAt } = heartbeat;
  const { severity, eventType, source, entityType, entityId, tags, tokenPrefix, durationMs } = heartbeat;
  const entity = entityId === undefined ? `heartbeat ${name}` : `${entityType ?? ""} ${entityId}`;
  const down = downSince ? ` since ${plainTime(downSince)} (${downReason})` : "";
  const rows: readonly (readonly [string, string])[] = [
    ["Heartbeat", `${printable(name)} (${id})`],
    ["State", `${stateText(state, paint)}${down}`],
    ["Expected", printable(timesText(heartbeat))],
    ["Last success", plainTime(lastSuccessAt) || "never"],
    ["Next due", plainTime(nextDueAt) || "-"],
    ["Alert at", plainTime(alertAt) || "-"],
    ["Last duration", durationMs === undefined ? "-" : span(durationMs)],
    ...(excusedAt ? ([["Excused until", plainTime(excusedAt)]] as const) : []),
    ["Alert", printable(`${severity}, ${eventType}, ${source}, ${entity.trim()}`)],
    ["Tags", printable(tags.join(", ")) || "-"],
    ["Token", `${tokenPrefix}…`],
  ];
  return rows.map(([label, value]) => `${label.padEnd(15)}${value}`).join("\n");
}
