import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";

let world: Dashboard;
let accountId: string;
let secret: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  const { identity } = world;
  accountId = await identity.openAccount();
  await allowSending(identity, accountId);
  secret = (await identity.operator.keys.createKey({ accountId, name: "monitor" })).secret;
  token = (await identity.memberOf(accountId, "owner")).token;
});

const ALERT = { event_type: "disk.full", severity: "critical", source: "node", message: "/var is full" };
const RULE = {
  match: [{ field: "severity", op: "gte", value: "warning" }],
  notify: { recipients: ["ops@example.net"], from: "Alerts <alerts@example.com>" },
};
const ingest = (body: object, headers: Record<string, string> = {}) =>
  world.ask("POST", "/v1/alerts/ingest", { body, headers: { "x-api-key": secret, ...headers } });
const asOwner = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) =>
  world.ask(method, path, { token, ...(body && { body }) });

describe("POST /v1/alerts/ingest", () => {
  it("answers with the outcome of the alert, and gives a retry the same answer", async () => {
    expect((await asOwner("PUT", "/api/alert-rules/pager", RULE)).status).toBe(201);
    const { status, body } = await ingest(ALERT, { "idempotency-key": "once" });
    expect([status, body]).toEqual([
      202,
      {
        alert_id: expect.stringMatching(/^alr_/),
        sx_trace_id: expect.stringMatching(/^sx_/),
        status: "routed",
        matched_rules: ["pager"],
        incident_ids: [expect.stringMatching(/^inc_/)],
        message_ids: [expect.stringMatching(/^msg_/)],
        reasons: [],
      },
    ]);
    const again = await ingest(ALERT, { "idempotency-key": "once" });
    expect([again.status, again.body]).toEqual([202, body]);
    const other = await ingest({ ...ALERT, message: "other" }, { "idempotency-key": "once" });
    expect([other.status, other.body.code]).toEqual([422, "idempotency.key_reused"]);
  });

  it.each([
    [{ ...ALERT, severity: "fatal" }, "/severity"],
    [{ ...ALERT, colour: "red" }, "/colour"],
    [{ ...ALERT, context: "text" }, "/context"],
    [{ ...ALERT, occurred_at: "yesterday" }, "/occurred_at"],
    [{ ...ALERT, event_type: undefined }, "/event_type"],
  ])("refuses unknown fields and values with their place: %o", async (body, pointer) => {
    const refused = await ingest(body);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it("refuses more than 256 KB", async () => {
    const { status, body } = await ingest({ ...ALERT, context: { text: "x".repeat(262_144) } });
    expect([status, body.code]).toEqual([413, "request.too_large"]);
  });

  it("accepts only keys with the scope", async () => {
    expect((await world.ask("POST", "/v1/alerts/ingest", { body: ALERT, headers: {} })).status).toBe(401);
    const { operator } = world.identity;
    secret = (await operator.keys.createKey({ accountId, name: "shop", scopeMode: "send_only" })).secret;
    const refused = await ingest(ALERT);
    expect([refused.status, refused.body.code]).toEqual([403, "auth.scope_missing"]);
  });
});

describe("the dashboard", () => {
  it("shows rules as stored, with all defaults", async () => {
    await asOwner("PUT", "/api/alert-rules/pager", { ...RULE, order: 7 });
    const { body } = await asOwner("GET", "/api/alert-rules/pager");
    expect(body).toMatchObject({
      version: 1,
      settings: {
        name: "pager",
        order: 7,
        enabled: true,
        match: RULE.match,
        notify: { repeat_seconds: 14_400 },
      },
    });
    const { id, account_id, version, created_at, updated_at, settings } = body;
    expect([id, account_id, version, created_at, updated_at].every(Boolean)).toBe(true);
    const { name, ...same } = settings;
    const again = await asOwner("PUT", `/api/alert-rules/${name}`, same);
    expect([again.status, again.body.version]).toEqual([200, 1]);
    const refused = await asOwner("PUT", "/api/alert-rules/pager", {
      match: [{ field: "severity", op: "prefix", value: "cri" }],
    });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, "/match/0/op"]);
  });

  it("shows an incident from its first alert to its last", async () => {
    await asOwner("PUT", "/api/alert-rules/pager", RULE);
    const first = await ingest({ ...ALERT, context: { mount: "/var" } });
    const id = first.body.incident_ids[0];
    expect((await asOwner("POST", `/api/incidents/${id}/acknowledge`)).body.state).toBe("acknowledged");
    await ingest({ ...ALERT, status: "resolved" });
    const { body } = await asOwner("GET", `/api/incidents/${id}`);
    expect(body.incident).toMatchObject({
      state: "resolved",
      alerts: 2,
      firing: 0,
      notices: 2,
      rule: "pager",
    });
    expect(body.history.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...["opened", "notice", "acknowledged", "resolved", "notice"],
    ]);
    const listed = await asOwner("GET", "/api/incidents?state=resolved");
    expect(listed.body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    const alert = await asOwner("GET", `/api/alerts/${first.body.alert_id}`);
    expect(alert.body.rules).toMatchObject([{ rule: "pager", reason: "notifies" }]);
  });
});

it("the link in a mail shows a page, and only its buttons act", async () => {
  await asOwner("PUT", "/api/alert-rules/pager", RULE);
  const hostile = "<script>alert(1)</script>";
  const { body } = await ingest({ ...ALERT, message: hostile });
  const [message] = body.message_ids;
  const stored = await world.identity.store.acrossAccounts.messages.findById(message);
  const content = await world.identity.store.forAccount(accountId).contents.load(stored?.contentId ?? "");
  const text = JSON.stringify(content);
  const [, path = ""] = /(\/incident\/[\w-]+)/.exec(text) ?? [];
  const page = await world.app.inject({ method: "GET", url: path });
  expect([page.statusCode, page.body.includes("Acknowledge"), page.body.includes("<script>")]).toEqual([
    ...[200, true, false],
  ]);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const wrong = await world.app.inject({ method: "POST", url: path, headers, payload: "action=delete" });
  expect(wrong.statusCode).toBe(422);
  const followed = await world.app.inject({
    method: "POST",
    url: path,
    headers,
    payload: "action=acknowledge",
  });
  expect([followed.statusCode, followed.body.includes("Acknowledged by ops@example.net")]).toEqual([
    200,
    true,
  ]);
  const broken = await world.app.inject({
    method: "GET",
    url: `${path}x`,
    headers: { accept: "text/html" },
  });
  expect([broken.statusCode, broken.body.includes("does not work")]).toEqual([404, true]);
});
