import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { ifRevision, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { optionalText, text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const noMoment = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, format: "date-time", examples: ["2030-01-02T02:05:00.000Z"] });
const noText = (description: string, ...examples: string[]) =>
  z
    .string()
    .nullable()
    .meta({ description, ...(examples.length > 0 && { examples }) });
const noNumber = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description, examples: [example] });

const states = ["new", "up", "late", "down", "paused"] as const;
const STATE =
  "`new`: waits for its first success ping; `up`: the next ping is not expected yet; `late`: a ping is expected, and the grace time is not over; `down`: its alert is active; `paused`: expects no pings.";
const KIND = "`success`: the job succeeded; `start`: the job began; `fail`: the job failed.";

const name = text("Name of 1 to 100 characters.", "nightly backup");
const tags = z
  .array(z.string())
  .meta({ description: "Up to 20 tags of 1 to 64 characters.", examples: [["backup"]] });
const graceSeconds = z.int().meta({
  description: "Time in seconds after the expected time until an alert is raised: 0 to 2,592,000 (30 days).",
  examples: [1_800],
});
const eventType = text("`event_type` of the alert: 1 to 255 characters.", "heartbeat");
const source = text("`source` of the alert: 1 to 255 characters.", "heartbeat");

export const heartbeat = z
  .object({
    id: text("Id of the heartbeat.", "hbt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    name,
    period_seconds: noNumber(
      "Time in seconds between two success pings. `null` for a heartbeat with `cron`.",
      86_400,
    ),
    cron: noText("Cron expression of the expected times. `null` for a heartbeat with a period.", "5 2 * * *"),
    timezone: noText("IANA time zone of `cron`. `null` for a heartbeat with a period.", "Europe/Berlin"),
    grace_seconds: graceSeconds,
    severity: text("Severity of the alert: `info`, `warning` or `critical`.", "critical"),
    event_type: eventType,
    source,
    entity_type: noText(
      "`entity_type` of the alert. `null`: `heartbeat`, if `entity_id` is `null` too.",
      "job",
    ),
    entity_id: noText("`entity_id` of the alert. `null`: the name of the heartbeat.", "db-1"),
    tags,
    state: text(STATE, "up"),
    next_due_at: noMoment("Time of the next expected ping. `null` for `new`, `down` and `paused`."),
    alert_at: noMoment(
      "Time from which a missing ping raises an alert: `next_due_at` and the grace time. `null` if no ping is expected.",
    ),
    last_ping_at: noMoment("Time of the last ping of any kind. `null`: there was none."),
    last_ping_kind: noText(`Kind of the last ping. ${KIND} \`null\`: there was none.`, "success"),
    last_success_at: noMoment("Time of the last success ping. `null`: there was none."),
    started_at: noMoment(
      "Start of the running job. `null` if none is running, or if it does not report its start.",
    ),
    duration_ms: noNumber(
      "Duration of the last job that reported its start, in milliseconds. `null`: unknown.",
      42_000,
    ),
    down_since: noMoment("Start of the downtime. `null` if the heartbeat is not down."),
    down_reason: noText(
      "`missed`, or `failed` after a ping of the kind `fail`. `null` if it is not down.",
      "missed",
    ),
    excused_at: noMoment(
      "End of an outage of Hermod that counts as a success ping, because Hermod could not receive it. `null`: there was none since the last ping.",
    ),
    token_prefix: text("First characters of the token, to recognize it.", "hm_ping_a1b2c3d4"),
    token_created_at: moment("Time when the token was created."),
    created_at: moment("Time when the heartbeat was created."),
    updated_at: moment("Time of the last change of the settings."),
    revision,
  })
  .meta({
    id: "Heartbeat",
    description: "A signal that a job sends regularly. A missing one raises an alert.",
  });

const token = {
  token: text("Token of the pings. It is shown only here.", "hm_ping_…"),
  ping_url: noText(
    "URL of the pings, with the token. `null` if the server does not know its base URL: the path is `/inbound/heartbeats/` and the token.",
    "https://mail.example.com/inbound/heartbeats/hm_ping_…",
  ),
};

const heartbeatWithToken = heartbeat.extend(token).meta({
  id: "HeartbeatWithToken",
  description: "A heartbeat with its token.",
});

const ping = z
  .object({
    number: z.int().meta({ description: "Number of the ping, counted from 1.", examples: [17] }),
    at: moment("Time when Hermod received the ping."),
    kind: text(KIND, "success"),
    exit_status: noNumber("Exit status of the job. `null`: the ping had none.", 0),
    duration_ms: noNumber("Time since the last `start`, in milliseconds. `null`: unknown.", 42_000),
    via: text("`token` or `key`.", "token"),
    client_address: text("IP address of the client. Empty: unknown.", "192.0.2.1"),
  })
  .meta({ id: "HeartbeatPing", description: "A ping that Hermod received." });

const settings = {
  name,
  period_seconds: z
    .int()
    .optional()
    .meta({
      description:
        "Time in seconds between two success pings: 30 to 31,622,400 (366 days). Provide this or `cron`.",
      examples: [86_400],
    }),
  cron: optionalText(
    "Expected times: five cron fields (minute, hour, day of the month, month, weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly` or `@yearly`. At most 100 characters.",
    "5 2 * * *",
  ),
  timezone: optionalText("IANA time zone of `cron`. Default: `UTC`.", "Europe/Berlin"),
  grace_seconds: graceSeconds.optional().meta({
    description:
      "Time in seconds after the expected time until an alert is raised: 0 to 2,592,000 (30 days). Default: 300.",
    examples: [1_800],
  }),
  severity: z
    .enum(["info", "warning", "critical"])
    .optional()
    .meta({ description: "Severity of the alert. Default: `critical`." }),
  event_type: eventType.optional().meta({
    description: "`event_type` of the alert: 1 to 255 characters. Default: `heartbeat`.",
    examples: ["backup.missed"],
  }),
  source: source.optional().meta({
    description: "`source` of the alert: 1 to 255 characters. Default: `heartbeat`.",
    examples: ["cron"],
  }),
  entity_type: optionalText(
    "`entity_type` of the alert, with `entity_id`: at most 255 characters. Default: `heartbeat`.",
    "host",
  ),
  entity_id: optionalText(
    "`entity_id` of the alert: at most 255 characters. Default: the name of the heartbeat.",
    "db-1",
  ),
  tags: tags.optional(),
};

const newHeartbeat = z
  .strictObject(settings)
  .meta({ id: "NewHeartbeat", description: "A heartbeat to create." });

const heartbeatParams = z.object({ heartbeat_id: text("Id of the heartbeat.") });

export const heartbeats = c.router({
  listHeartbeats: {
    method: "GET",
    path: "/api/heartbeats",
    summary: "List heartbeats",
    description: "Lists heartbeats, newest first.",
    query: pageQuery.extend({
      search: z
        .string()
        .max(320)
        .optional()
        .meta({ description: "Part of the name. Not case-sensitive.", examples: ["backup"] }),
      state: z.enum(states).optional().meta({ description: "Only heartbeats in this state." }),
      tag: z
        .string()
        .max(64)
        .optional()
        .meta({ description: "Only heartbeats with this tag.", examples: ["backup"] }),
    }),
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("HeartbeatList", heartbeat) },
    }),
  },
  createHeartbeat: {
    method: "POST",
    path: "/api/heartbeats",
    summary: "Create a heartbeat",
    description:
      "Creates a heartbeat. Only this answer and that of a rotation have its token and the URL of its pings. The heartbeat waits for its first success ping, and raises no alert before it. An account has at most 1,000 heartbeats.",
    body: newHeartbeat,
    ...changing({
      access: "alerts.write",
      faults: ["heartbeat.too_many"],
      success: { 201: heartbeatWithToken },
    }),
  },
  getHeartbeat: {
    method: "GET",
    path: "/api/heartbeats/:heartbeat_id",
    pathParams: heartbeatParams,
    summary: "Get a heartbeat",
    ...reading({ access: "alerts.read", faults: ["heartbeat.unknown"], success: { 200: heartbeat } }),
  },
  updateHeartbeat: {
    method: "PUT",
    path: "/api/heartbeats/:heartbeat_id",
    pathParams: heartbeatParams,
    summary: "Replace the settings of a heartbeat",
    description:
      "Replaces all settings: fields that are left out get their defaults. Another period, expression, time zone or grace time begins a new period now. An active alert stays active until the next success ping.",
    body: z
      .strictObject({ ...settings, if_revision: ifRevision })
      .meta({ id: "HeartbeatReplacement", description: "Complete settings of a heartbeat." }),
    ...changing({
      access: "alerts.write",
      faults: ["heartbeat.unknown", "resource.stale"],
      success: { 200: heartbeat },
    }),
  },
  pauseHeartbeat: {
    method: "POST",
    path: "/api/heartbeats/:heartbeat_id/pause",
    pathParams: heartbeatParams,
    summary: "Pause a heartbeat",
    description:
      "Pauses a heartbeat: no pings are expected until it is resumed. Pings are still recorded. An active alert is resolved. Changes nothing if the heartbeat is already paused.",
    body: c.noBody(),
    ...changing({ access: "alerts.write", faults: ["heartbeat.unknown"], success: { 200: heartbeat } }),
  },
  resumeHeartbeat: {
    method: "POST",
    path: "/api/heartbeats/:heartbeat_id/resume",
    pathParams: heartbeatParams,
    summary: "Resume a heartbeat",
    description:
      "Resumes a heartbeat. The next ping is expected after the period, or at the next time of the expression, counted from now. A heartbeat without any success ping waits for its first one. Changes nothing if the heartbeat is not paused.",
    body: c.noBody(),
    ...changing({ access: "alerts.write", faults: ["heartbeat.unknown"], success: { 200: heartbeat } }),
  },
  rotateHeartbeatToken: {
    method: "POST",
    path: "/api/heartbeats/:heartbeat_id/rotate-token",
    pathParams: heartbeatParams,
    summary: "Replace the token of a heartbeat",
    description:
      "Replaces the token. The former one stops working at once. Only this answer has the new token and the URL of its pings.",
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: ["heartbeat.unknown"],
      success: { 200: heartbeatWithToken },
    }),
  },
  deleteHeartbeat: {
    method: "DELETE",
    path: "/api/heartbeats/:heartbeat_id",
    pathParams: heartbeatParams,
    summary: "Delete a heartbeat",
    description: "Deletes a heartbeat with its pings. An active alert is resolved.",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: ["heartbeat.unknown", "resource.stale"],
      success: { 204: c.noBody() },
    }),
  },
  listHeartbeatPings: {
    method: "GET",
    path: "/api/heartbeats/:heartbeat_id/pings",
    pathParams: heartbeatParams,
    summary: "List the pings of a heartbeat",
    description: "Lists the latest pings, newest first. Hermod keeps the newest 200, for at most 30 days.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["heartbeat.unknown", "request.validation_failed"],
      success: { 200: page("HeartbeatPingList", ping) },
    }),
  },
});
