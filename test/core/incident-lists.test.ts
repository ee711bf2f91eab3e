import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AlertFilterSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { IncidentFilterSchema } from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import type { Incident } from "../../src/alerts/incident.ts";
import { newId } from "../../src/shared/ids.ts";
import type { AlertDocument } from "../../src/store/alert-documents.ts";
import { alertDocument, incidentDocument } from "../harness/alert-documents.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

const states = ["open", "acknowledged", "resolved"] as const;
const severities = ["info", "warning", "critical"] as const;
const outcomes = ["routed", "suppressed", "unmatched"] as const;
const rules = ["pager", "noise"] as const;
const texts = ["/var is full", "CPU high", "Host web-1 is down"] as const;
const users = [undefined, "usr_a", "usr_b"] as const;
const BEGIN_MS = Date.parse("2026-01-01T00:00:00.000Z");
const STEP_MS = 60_000;
const COUNT = 150;

let identity: Identity;
let accountId: string;
let incidents: Incident[];
let alerts: AlertDocument[];

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
const timeOf = (n: number) => new Date(BEGIN_MS + n * STEP_MS);

beforeAll(async () => {
  identity = await openIdentity();
  accountId = await identity.openAccount();
  incidents = Array.from({ length: COUNT }, (_, n) => {
    const openedAt = timeOf(n);
    const message = at(texts, n >> 1);
    const { open: _open, ...closed } = incidentDocument({ accountId });
    return {
      ...closed,
      _id: newId("inc", openedAt),
      groupKey: `${n}`,
      ruleName: at(rules, n),
      state: at(states, n >> 2),
      severity: at(severities, n >> 3),
      title: `[info] node: ${message}`,
      latest: { ...closed.latest, message, entityId: `host-${n % 5}` },
      openedAt,
      // Many were changed in the same millisecond.
      updatedAt: timeOf(1_000 + (n % 7)),
      ...(at(users, n) && { assignee: at(users, n) as string }),
    };
  });
  alerts = Array.from({ length: COUNT }, (_, n) => {
    const time = timeOf(n);
    const own = at(incidents, n >> 2);
    const status = at(outcomes, n);
    return alertDocument({
      _id: newId("alr", time),
      accountId,
      at: time,
      alert: {
        eventType: "disk.full",
        severity: at(severities, n >> 1),
        source: at(["node", "cron"], n),
        message: at(texts, n >> 2),
        context: { large: "x".repeat(1_000) },
      },
      outcome: {
        status,
        matchedRules: status === "unmatched" ? [] : [at(rules, n >> 1)],
        incidentIds: status === "unmatched" ? [] : [own._id],
        messageIds: [],
        reasons: [],
      },
    });
  });
  // A longer list than a page of a search reads, of another account.
  const foreign = await identity.openAccount("Globex");
  await identity.db
    .collection<Incident>("incidents")
    .insertMany([
      ...incidents,
      ...incidents.map((one) => ({ ...one, _id: newId("inc", one.openedAt), accountId: foreign })),
    ]);
  await identity.db
    .collection<AlertDocument>("alerts")
    .insertMany([
      ...alerts,
      ...alerts.map((one) => ({ ...one, _id: newId("alr", one.at), accountId: foreign })),
    ]);
});
afterAll(() => identity.close());

const some = <T>(values: readonly T[]) => fc.subarray([...values]);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const times = fc.record({ from: maybe(fc.nat(COUNT)), until: maybe(fc.nat(COUNT)) });
const words = fc.constantFrom("full", "WEB-1", "host-3", "nothing");
const pageSize = fc.constantFrom(1, 7, 1_000);

interface Span {
  readonly from: number | undefined;
  readonly until: number | undefined;
}
const isIn = (time: Date, { from, until }: Span) =>
  (from === undefined || time >= timeOf(from)) && (until === undefined || time < timeOf(until));
const isSpan = ({ from, until }: Span) => from === undefined || until === undefined || from < until;
const spanOf = ({ from, until }: Span) => ({
  ...(from !== undefined && { from: timestampFromDate(timeOf(from)) }),
  ...(until !== undefined && { until: timestampFromDate(timeOf(until)) }),
});

async function allOf(list: (token: string) => Promise<{ ids: string[]; next: string }>): Promise<string[]> {
  const found: string[] = [];
  let token = "";
  do {
    const { ids, next } = await list(token);
    found.push(...ids);
    token = next;
  } while (token !== "");
  return found;
}

it("lists of incidents have those that match all filters, in order, on pages of any size", async () => {
  const sorts = ["newest", "oldest", "updated", "severity"] as const;
  const compare: Record<(typeof sorts)[number], (a: Incident, b: Incident) => number> = {
    newest: (a, b) => (a._id < b._id ? 1 : -1),
    oldest: (a, b) => (a._id < b._id ? -1 : 1),
    updated: (a, b) => b.updatedAt.getTime() - a.updatedAt.getTime() || (a._id < b._id ? 1 : -1),
    severity: (a, b) =>
      severities.indexOf(b.severity) - severities.indexOf(a.severity) || (a._id < b._id ? 1 : -1),
  };
  const asked = fc.record({
    states: some(states),
    severities: some(severities),
    rule: maybe(fc.constantFrom(...rules, "other")),
    text: maybe(words),
    assignee: maybe(fc.constantFrom("usr_a", "none")),
    span: times.filter(isSpan),
    sort: fc.constantFrom(...sorts),
    pageSize,
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ span, sort, pageSize: size, ...given }) => {
      const { text = "", rule = "", assignee = "" } = given;
      const lower = text.toLowerCase();
      const expected = incidents
        .filter(
          (one) =>
            (given.states.length === 0 || given.states.includes(one.state)) &&
            (given.severities.length === 0 || given.severities.includes(one.severity)) &&
            (rule === "" || one.ruleName === rule) &&
            (assignee === "" || (one.assignee ?? "none") === assignee) &&
            isIn(one.openedAt, span) &&
            `${one.title} ${one.latest.entityId}`.toLowerCase().includes(lower),
        )
        .toSorted(compare[sort])
        .map(({ _id }) => _id);
      const filter: MessageInitShape<typeof IncidentFilterSchema> = {
        states: given.states,
        severities: given.severities,
        rule,
        text,
        assignee,
        ...spanOf(span),
      };
      const found = await allOf(async (pageToken) => {
        const request = { accountId, filter, sort, pageSize: size, pageToken };
        const page = await identity.operator.incidents.listIncidents(request);
        return { ids: page.incidents.map(({ id }) => id), next: page.nextPageToken };
      });
      expect(found).toEqual(expected);
    }),
    { numRuns: repetitions(60, 1_000) },
  );
});

it("lists of alerts have those that match all filters, in order, on pages of any size", async () => {
  const asked = fc.record({
    severities: some(severities),
    outcomes: some(outcomes),
    source: maybe(fc.constantFrom("node", "other")),
    rule: maybe(fc.constantFrom(...rules)),
    text: maybe(words),
    incident: maybe(fc.nat(Math.floor(COUNT / 4) - 1)),
    span: times.filter(isSpan),
    sort: fc.constantFrom("newest", "oldest"),
    pageSize,
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ span, sort, pageSize: size, incident, ...given }) => {
      const { text = "", rule = "", source = "" } = given;
      const incidentId = incident === undefined ? "" : at(incidents, incident)._id;
      const lower = text.toLowerCase();
      const expected = alerts
        .filter(
          ({ at: time, alert, outcome }) =>
            (given.severities.length === 0 || given.severities.includes(alert.severity)) &&
            (given.outcomes.length === 0 || given.outcomes.includes(outcome.status)) &&
            (source === "" || alert.source === source) &&
            (rule === "" || outcome.matchedRules.includes(rule)) &&
            (incidentId === "" || outcome.incidentIds.includes(incidentId)) &&
            isIn(time, span) &&
            `${alert.message} ${alert.eventType} ${alert.source}`.toLowerCase().includes(lower),
        )
        .map(({ _id }) => _id)
        .toSorted();
      if (sort === "newest") expected.reverse();
      const filter: MessageInitShape<typeof AlertFilterSchema> = {
        severities: given.severities,
        outcomes: given.outcomes,
        source,
        rule,
        text,
        incidentId,
        ...spanOf(span),
      };
      const found = await allOf(async (pageToken) => {
        const request = { accountId, filter, sort, pageSize: size, pageToken };
        const page = await identity.operator.alerts.listAlerts(request);
        expect(page.alerts.every(({ alert }) => alert?.context?.large !== undefined)).toBe(true);
        return { ids: page.alerts.map(({ id }) => id), next: page.nextPageToken };
      });
      expect(found).toEqual(expected);
    }),
    { numRuns: repetitions(60, 1_000) },
  );
});

it.each([
  [{ filter: { states: ["shut"] } }, ["/filter/states/0"]],
  [{ filter: { severities: ["info", "fatal"] } }, ["/filter/severities/1"]],
  [{ filter: { text: "x".repeat(1_001) } }, ["/filter/text"]],
  [{ filter: spanOf({ from: 2, until: 1 }) }, ["/filter/until"]],
  [{ sort: "best" }, ["/sort"]],
  [{ state: "shut" }, ["/state"]],
  [{ pageToken: "nothing" }, ["/page_token"]],
])("a list of incidents refuses an invalid request (%#)", async (request, pointers) => {
  const asked = identity.operator.incidents.listIncidents({ accountId, ...request });
  const { errors } = await asked.catch((error) => error);
  expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
});

it("a page token of an incident list with a damaged position is refused", async () => {
  const pageToken = Buffer.from(`${accountId}:1.fatal.inc_1`).toString("base64url");
  const asked = identity.operator.incidents.listIncidents({ accountId, pageToken });
  await expect(asked).rejects.toMatchObject({ errors: [{ pointer: "/page_token" }] });
});
