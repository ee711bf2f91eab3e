import { newId } from "../../dist/src/shared/ids.js";
import { ago, each, later, raw } from "./filler.js";

const SCHEDULES_MAX = 200;
const OVERRIDES_MAX = 100;
const TARGETS_MAX = 100;
const HEARTBEATS_MAX = 1_000;
/** As many as Hermod keeps of one heartbeat. */
const PINGS_MAX = 200;
const HOUR_MS = 3_600_000;

/** @typedef {import("./fill-lists.js").Filler} Filler */

/** On-call schedules, alert targets and heartbeats. @param {number} entries @param {(limit: number) => number} most @returns {Filler[]} */
export function onCallFillers(entries, most) {
  return [
    each(
      "on-call schedules",
      most(SCHEDULES_MAX),
      async ({ account, filled, run, audit, now }, number) => {
        const name = `team-${number}-${run}`;
        const layer = {
          name: "first",
          participants: [{ userId: filled.userId }, { address: "ops@example.com" }],
          startsAt: now,
          zone: "Europe/Berlin",
          shift: { length: 1, unit: "day" },
          handover: { time: "09:00" },
          windows: [],
        };
        const settings = /** @type {any} */ ({ name, description: "", layers: [layer], fallback: [] });
        const { schedule } = await account.oncalls.put(settings, audit("on_call.put"), () => {});
        filled.onCall ??= name;
        filled.onCallId ??= schedule._id;
      },
      { width: 1 },
    ),
    each(
      "overrides",
      most(OVERRIDES_MAX),
      ({ account, filled, audit, now }, number) => {
        const from = new Date(now.getTime() + number * HOUR_MS);
        const times = { from, until: new Date(from.getTime() + HOUR_MS) };
        const override = { participant: { userId: filled.userId }, ...times, comment: "" };
        return account.oncalls.addOverrides(filled.onCallId ?? "", [override], audit("on_call.override"));
      },
      { width: 1 },
    ),
    each(
      "alert targets",
      most(TARGETS_MAX),
      async ({ account, filled, run, audit, now }, number) => {
        const target = {
          _id: newId("atg", now),
          name: `chat ${number} ${run}`,
          kind: "slack",
          url: "https://chat.example/services/T1/B1/secret",
          description: "",
          headers: [],
          secrets: [],
          ratePerSecond: 1,
          createdAt: now,
          updatedAt: now,
          revision: 1,
        };
        await account.targets.add(/** @type {any} */ (target), audit("alert_target.create"));
        filled.targetId ??= target._id;
      },
      { width: 1 },
    ),
    raw("deliveries to an alert target", entries, "alertDeliveries", (context, number) => ({
      _id: `${context.filled.targetId}.ntc_${context.run}_${number}`,
      accountId: context.filled.accountId,
      endpointId: context.filled.targetId,
      eventId: `ntc_${context.run}_${number}`,
      type: "incident.notice",
      at: ago(context, number),
      body: "{}",
      targetName: "chat 0",
      targetKind: "slack",
      ruleName: "pager",
      number: 1,
      state: number % 10 === 0 ? "failed" : "delivered",
      attempts: 1,
      tries: [],
      expireAt: later(context),
    })),
    raw("heartbeats", most(HEARTBEATS_MAX), "heartbeats", (context, number) => {
      const { filled, now, run } = context;
      const _id = newId("hbt", ago(context, number));
      filled.heartbeatId ??= _id;
      return {
        _id,
        accountId: filled.accountId,
        name: `backup ${number}`,
        schedule: { kind: "period", periodMs: HOUR_MS },
        graceMs: 300_000,
        severity: "critical",
        eventType: "heartbeat",
        source: "heartbeat",
        tags: [`tag${number % 10}`],
        tokenHash: `${run} ${number}`,
        tokenPrefix: "hm_ping_a1b2c3d4",
        tokenAt: now,
        paused: false,
        createdAt: now,
        updatedAt: now,
        changes: 0,
        pending: [],
        pings: PINGS_MAX,
        revision: 0,
      };
    }),
    raw("pings of a heartbeat", most(PINGS_MAX), "heartbeatPings", (context, number) => ({
      _id: `${context.filled.heartbeatId}.${number}`,
      accountId: context.filled.accountId,
      heartbeatId: context.filled.heartbeatId,
      number: number + 1,
      at: ago(context, number),
      kind: "success",
      via: "token",
      clientAddress: "192.0.2.1",
      expireAt: later(context),
    })),
  ];
}
