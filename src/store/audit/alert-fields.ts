import type { Condition, Matchers } from "../../alerts/condition.ts";
import type { Incident } from "../../alerts/incident.ts";
import type { Inhibition, Silence } from "../../alerts/mutes.ts";
import type { AlertRuleDocument } from "../alert-documents.ts";
import type { Classes } from "./classes.ts";

const condition: Classes<Condition> = { field: "track", op: "track", value: "track" };
const matchers: Classes<Matchers> = { match: condition, any: condition };

export const alertRule: Classes<AlertRuleDocument> = {
  _id: "ignore",
  accountId: "ignore",
  name: "ignore",
  version: "track",
  settings: {
    name: "track",
    description: "track",
    order: "track",
    enabled: "track",
    matchers,
    stop: "track",
    onlyUnmatched: "track",
    effect: "track",
    notify: {
      recipients: "track",
      from: "track",
      policy: "track",
      template: "track",
      groupBy: "track",
      waitMs: "track",
      intervalMs: "track",
      repeatMs: "track",
      resolvedMail: "track",
      autoResolveMs: "track",
      quiet: { zone: "track", windows: { days: "track", from: "track", to: "track" } },
      quietHoldsCritical: "track",
      zone: "track",
      ceiling: "track",
      digestMs: "track",
      escalation: { steps: { afterMs: "track", recipients: "track" }, rounds: "track" },
    },
  },
  createdAt: "ignore",
  updatedAt: "ignore",
};

export const silence: Classes<Silence> = {
  _id: "ignore",
  accountId: "ignore",
  matchers,
  startsAt: "track",
  endsAt: "track",
  comment: "track",
  createdBy: "ignore",
  createdAt: "ignore",
  expireAt: "ignore",
};

export const inhibition: Classes<Inhibition> = {
  _id: "ignore",
  accountId: "ignore",
  name: "track",
  source: matchers,
  target: matchers,
  equal: "track",
  createdAt: "ignore",
  updatedAt: "ignore",
};

/** Of an incident, that is: what somebody did about it. Its own record is its history. */
export const incident: Classes<Pick<Incident, "state">> = { state: "track" };
