import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";

let world: Dashboard;
let accountId: string;
let token: string;
let email: string;
let userId: string;
let secret: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  const { identity } = world;
  identity.time.pass(1_000);
  accountId = await identity.openAccount();
  await allowSending(identity, accountId);
  secret = (await identity.operator.keys.createKey({ accountId, name: "monitor" })).secret;
  ({ token, email, userId } = await identity.memberOf(accountId, "developer"));
  await ask("PUT", "/api/alert-rules/pager", {
    match: [{ field: "severity", op: "gte", value: "warning" }],
    notify: { recipients: ["ops@example.net"], from: "Alerts <alerts@example.com>" },
  });
});

const ask = (method: "GET" | "POST" | "PUT", path: string, body?: object, as = token) =>
  world.ask(method, path, { token: as, ...(body && { body }) });

/** Ids of the alert and its incident. */
async function ingest(changes: object = {}): Promise<{ alert: string; incident: string }> {
  world.identity.time.pass(1);
  const alert = { event_type: "disk.full", severity: "critical", source: "node", message: "/var is full" };
  const headers = { "x-api-key": secret };
  const { body } = await world.ask("POST", "/v1/alerts/ingest", { body: { ...alert, ...changes }, headers });
  return { alert: body.alert_id, incident: body.incident_ids[0] ?? "" };
}

const idsOf = async (path: string) =>
  (await ask("GET", path)).body.data.map(({ id }: { readonly id: string }) => id);
const pointersOf = async (answer: ReturnType<typeof ask>) =>
  (await answer).body.errors.map(({ pointer }: { readonly pointer: string }) => pointer);

describe("GET /api/incidents", () => {
  it("filters by several states and severities, rule, text and time, and sorts", async () => {
    const a = (await ingest({ entity_id: "a", severity: "warning" })).incident;
    const b = (await ingest({ entity_id: "b" })).incident;
    const between = world.identity.time.clock.now().toISOString();
    const c = (await ingest({ entity_id: "c", severity: "warning" })).incident;
    await ask("POST", `/api/incidents/${a}/acknowledge`);
    await ask("POST", `/api/incidents/${b}/resolve`);
    expect(await idsOf("/api/incidents?state=open&state=acknowledged")).toEqual([c, a]);
    expect(await idsOf("/api/incidents?state=resolved")).toEqual([b]);
    expect(await idsOf("/api/incidents?severity=warning&sort=oldest")).toEqual([a, c]);
    expect(await idsOf("/api/incidents?sort=severity")).toEqual([b, c, a]);
    expect(await idsOf("/api/incidents?rule=other")).toEqual([]);
    expect(await idsOf("/api/incidents?rule=pager&text=FULL&limit=2")).toEqual([c, b]);
    expect(await idsOf(`/api/incidents?until=${encodeURIComponent(between)}`)).toEqual([a]);
    expect(await idsOf(`/api/incidents?from=${encodeURIComponent(between)}`)).toEqual([c, b]);
    const page = await ask("GET", "/api/incidents?limit=2&text=full");
    expect([page.body.has_more, page.body.data.length]).toEqual([true, 2]);
    expect(await idsOf(`/api/incidents?text=full&cursor=${page.body.next_cursor}`)).toEqual([a]);
  });

  it("names invalid parameters as in the request", async () => {
    for (const query of ["state=shut", "severity=fatal", "sort=best", "from=yesterday", "colour=red"])
      expect([query, (await ask("GET", `/api/incidents?${query}`)).status]).toEqual([query, 422]);
    expect(await pointersOf(ask("GET", `/api/incidents?text=${"x".repeat(1_001)}`))).toEqual(["/text"]);
    expect(await pointersOf(ask("GET", "/api/incidents?cursor=nothing"))).toEqual(["/cursor"]);
  });
});

describe("work on an incident", () => {
  it("is snoozed, assigned and noted, and each answer has the incident", async () => {
    const { incident: id } = await ingest();
    const until = new Date(world.identity.time.clock.now().getTime() + 3_600_000).toISOString();
    const snoozed = await ask("POST", `/api/incidents/${id}/snooze`, { until });
    expect([snoozed.status, snoozed.body]).toMatchObject([
      200,
      { snoozed_until: until, snoozed_by: email, state: "open", notes: 0 },
    ]);
    const awake = await ask("POST", `/api/incidents/${id}/unsnooze`);
    expect([awake.status, awake.body.snoozed_until, awake.body.snoozed_by]).toEqual([200, undefined, ""]);
    const assigned = await ask("PUT", `/api/incidents/${id}/assignee`, { user_id: userId });
    expect(assigned.body.assignee).toEqual({ user_id: userId, email });
    const free = await ask("PUT", `/api/incidents/${id}/assignee`, { user_id: null });
    expect([free.status, free.body.assignee]).toEqual([200, undefined]);
    const noted = await ask("POST", `/api/incidents/${id}/notes`, { text: "On it." });
    expect([noted.status, noted.body.notes]).toEqual([200, 1]);
    const { body } = await ask("GET", `/api/incidents/${id}`);
    expect(body.history.at(-1)).toMatchObject({ kind: "note", detail: "On it.", by: email });
  });

  it("is acknowledged, not acknowledged any more, resolved and reopened", async () => {
    const { incident: id } = await ingest();
    for (const [action, state] of [
      ["acknowledge", "acknowledged"],
      ["unacknowledge", "open"],
      ["resolve", "resolved"],
      ["reopen", "open"],
    ])
      expect(await ask("POST", `/api/incidents/${id}/${action}`)).toMatchObject({
        status: 200,
        body: { state },
      });
  });

  it("is refused with the field or the reason, and changes nothing", async () => {
    const { incident: id } = await ingest();
    const path = `/api/incidents/${id}`;
    for (const body of [{}, { until: "tomorrow" }, { until: "2020-01-01T00:00:00Z" }, { until: 1 }])
      expect(await pointersOf(ask("POST", `${path}/snooze`, body))).toEqual(["/until"]);
    expect(await pointersOf(ask("POST", `${path}/notes`, { text: "" }))).toEqual(["/text"]);
    expect((await ask("POST", `${path}/notes`, { text: "a", by: "eve" })).status).toBe(422);
    const nobody = await ask("PUT", `${path}/assignee`, { user_id: "usr_nobody" });
    expect([nobody.status, nobody.body.code]).toEqual([404, "member.unknown"]);
    await ask("POST", `${path}/resolve`);
    const until = new Date(world.identity.time.clock.now().getTime() + 1_000).toISOString();
    const late = await ask("POST", `${path}/snooze`, { until });
    expect([late.status, late.body.code]).toEqual([409, "incident.resolved"]);
  });

  it("needs incidents.write", async () => {
    const { incident: id } = await ingest();
    const viewer = (await world.identity.memberOf(accountId, "viewer")).token;
    const answer = await ask("POST", `/api/incidents/${id}/notes`, { text: "a" }, viewer);
    expect([answer.status, answer.body.code]).toEqual([403, "auth.permission_missing"]);
  });
});

describe("POST /api/incidents/bulk", () => {
  it("counts first, and starts a job with the confirmation", async () => {
    await ingest({ entity_id: "a" });
    await ingest({ entity_id: "b" });
    world.identity.time.pass(1);
    const bulk = { action: "acknowledge", filter: { state: ["open"], rule: "pager" } };
    const counted = await ask("POST", "/api/incidents/bulk", bulk);
    expect([counted.status, counted.body]).toMatchObject([
      200,
      { count: 2, actionable: 2, has_more: false, sample: [{ state: "open" }, { state: "open" }] },
    ]);
    const { confirmation } = counted.body;
    const begun = await ask("POST", "/api/incidents/bulk", { ...bulk, confirmation });
    const about = { action: "acknowledge", counted: "2", incidents: 'rule=pager states=["open"]' };
    expect([begun.status, begun.body]).toMatchObject([
      202,
      { kind: "incident.bulk", state: "queued", about },
    ]);
    const other = await ask("POST", "/api/incidents/bulk", { ...bulk, action: "resolve", confirmation });
    expect([other.status, other.body.code]).toEqual([422, "incident.confirmation_invalid"]);
    expect(await pointersOf(ask("POST", "/api/incidents/bulk", { action: "resolve" }))).toEqual(["/filter"]);
    const filter = { text: "x".repeat(1_001) };
    expect(await pointersOf(ask("POST", "/api/incidents/bulk", { action: "resolve", filter }))).toEqual([
      "/filter/text",
    ]);
  });
});

describe("GET /api/alerts", () => {
  it("filters by severity, source, rule, outcome, text, time and incident", async () => {
    const a = await ingest({ entity_id: "a", severity: "warning", source: "cron" });
    const b = await ingest({ entity_id: "b" });
    const c = await ingest({ severity: "info", message: "Backup done" });
    expect(await idsOf("/api/alerts")).toEqual([c.alert, b.alert, a.alert]);
    expect(await idsOf("/api/alerts?sort=oldest&severity=warning&severity=critical")).toEqual([
      a.alert,
      b.alert,
    ]);
    expect(await idsOf("/api/alerts?source=cron")).toEqual([a.alert]);
    expect(await idsOf("/api/alerts?rule=pager&limit=1")).toEqual([b.alert]);
    expect(await idsOf("/api/alerts?outcome=unmatched")).toEqual([c.alert]);
    expect(await idsOf("/api/alerts?outcome=routed&text=VAR")).toEqual([b.alert, a.alert]);
    expect(await idsOf(`/api/alerts?incident_id=${b.incident}`)).toEqual([b.alert]);
    expect(await idsOf("/api/alerts?until=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await pointersOf(ask("GET", `/api/alerts?source=${"x".repeat(1_001)}`))).toEqual(["/source"]);
    expect((await ask("GET", "/api/alerts?outcome=lost")).status).toBe(422);
  });

  it("has counts over time at /statistics", async () => {
    await ingest({ severity: "info" });
    await ingest();
    const { status, body } = await ask("GET", "/api/alerts/statistics?step=hour");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      step: "hour",
      all: { info: 1, warning: 0, critical: 1 },
      unmatched: { info: 1, warning: 0, critical: 0 },
      rules: [{ rule: "pager", all: { info: 0, warning: 0, critical: 1 } }],
      measured_since: null,
    });
    expect(body.points).toHaveLength(body.rules[0].counts.length);
    expect(await pointersOf(ask("GET", "/api/alerts/statistics?from=x"))).toEqual(["/from"]);
  });
});
