import { DEFAULT_NOTIFY } from "../../dist/src/alerts/rule.js";
import { newId } from "../../dist/src/shared/ids.js";
import { ago, each, later, raw } from "./filler.js";

const RULES_MAX = 2_000;
const SILENCES_MAX = 1_000;
const INHIBITIONS_MAX = 100;

/** @typedef {import("./fill-lists.js").Filler} Filler */
/** @typedef {import("./fill-lists.js").FillContext} FillContext */

/** @param {number} entries @param {(limit: number) => number} most @returns {Filler[]} */
export function alertFillers(entries, most) {
  const matchers = { match: [{ field: "event_type", op: "eq", value: "disk.full" }], any: [] };
  return [
    each(
      "alert rules",
      most(RULES_MAX),
      ({ account, filled, run, audit }, number) => {
        const name = `rule-${number}-${run}`;
        filled.rule ??= name;
        return account.alertRules.put(
          /** @type {any} */ ({
            name,
            description: "",
            order: number,
            enabled: true,
            stop: false,
            effect: "notify",
            matchers,
            notify: { ...DEFAULT_NOTIFY, recipients: ["ops@example.com"], from: "alerts@example.com" },
          }),
          audit("rule.put"),
        );
      },
      { width: 1 },
    ),
    each(
      "silences",
      most(SILENCES_MAX),
      (context) => {
        const { account, now, audit } = context;
        const times = { startsAt: now, endsAt: later(context, 7), createdAt: now, expireAt: later(context) };
        const silence = {
          _id: newId("sil", now),
          matchers,
          comment: "maintenance",
          createdBy: "owner@example.com",
        };
        return account.alertRules.addSilence(
          /** @type {any} */ ({ ...silence, ...times }),
          audit("silence.add"),
        );
      },
      { width: 1 },
    ),
    each(
      "inhibitions",
      most(INHIBITIONS_MAX),
      ({ account, filled, run, audit }, number) => {
        const name = `down-${number}-${run}`;
        filled.inhibition ??= name;
        return account.alertRules.putInhibition(
          /** @type {any} */ ({
            name,
            source: matchers,
            target: matchers,
            equal: ["host"],
          }),
          audit("inhibition.put"),
        );
      },
      { width: 1 },
    ),
    raw("alerts", entries, "alerts", (context, number) => ({
      _id: newId("alr", ago(context, number)),
      accountId: context.filled.accountId,
      traceId: "sx_1",
      keyId: "",
      at: ago(context, number),
      status: "firing",
      links: [],
      revision: 1,
      alert: {
        eventType: "disk.full",
        severity: "critical",
        source: `node-${number}`,
        message: "/var is full",
        context: { host: "a" },
      },
      fingerprint: `f${number}`,
      expireAt: later(context),
      outcome: { status: "unmatched", matchedRules: [], incidentIds: [], messageIds: [], reasons: [] },
    })),
    raw("incidents", entries, "incidents", (context, number) => {
      const [at, _id] = [ago(context, number), newId("inc", ago(context, number))];
      const open = number % 3 !== 0;
      const state = open ? (number % 3 === 1 ? "open" : "acknowledged") : "resolved";
      return {
        _id,
        accountId: context.filled.accountId,
        ruleId: "rul_1",
        ruleVersion: 1,
        ruleName: "pager",
        groupKey: `g ${number}`,
        open,
        state,
        title: `Disk of node ${number} is full`,
        severity: "critical",
        latest: {
          alertId: "alr_1",
          at,
          eventType: "disk.full",
          severity: "critical",
          source: "node",
          message: "/var is full",
        },
        openedAt: at,
        updatedAt: at,
        alerts: 3,
        firing: open ? 1 : 0,
        untold: 0,
        notices: 1,
        threads: [],
        reopenings: [],
        entries: 2,
        revision: 1,
        ...(!open && { resolvedAt: at, expireAt: later(context) }),
      };
    }),
  ];
}
