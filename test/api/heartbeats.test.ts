import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newSecret } from "../../src/shared/secrets.ts";
import type { AlertDocument } from "../../src/store/alert-documents.ts";
import { KEPT_PINGS, MAX_HEARTBEATS } from "../../src/store/heartbeat-store.ts";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { heartbeatDocument } from "../harness/heartbeat-documents.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: Dashboard;
let account: AlertAccount;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard({ startAt: new Date("2030-01-01T00:00:00.000Z") });
});
afterAll(() => world.close());
beforeEach(async () => {
  account = await openAlertAccount(world.identity);
  ({ accountId } = account);
  await signIn();
});

async function signIn(): Promise<void> {
  ({ token } = await world.identity.memberOf(accountId));
}

const now = () => world.identity.time.clock.now();
const ask = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) =>
  world.ask(method, `/api/heartbeats${path}`, { token, ...(body && { body }) });

async function created(settings: object = {}) {
  const { status, body } = await ask("POST", "", { name: "backup", period_seconds: 3_600, ...settings });
  expect(status).toBe(201);
  return body;
}

async function ping(target: string, { method = "GET", headers = {}, payload }: PingOptions = {}) {
  // Pings of one heartbeat have different times.
  world.identity.time.pass(1);
  const url = `/inbound/heartbeats/${target}`;
  const answer = await world.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}
interface PingOptions {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string | Readable;
}

/** Time passes while a core runs. */
async function pass(ms: number): Promise<void> {
  const { store, time, heartbeatWorker } = world.identity;
  time.pass(ms);
  await store.liveness.announce(now(), now());
  await heartbeatWorker().check();
}

const alerts = () =>
  world.identity.db.collection<AlertDocument>("alerts").find({ accountId }).sort({ _id: 1 }).toArray();
const reasons = async () => (await alerts()).map(({ alert }) => alert.context.reason);

describe("the settings of a heartbeat", () => {
  it("are created with defaults, and the token is shown only once", async () => {
    const { token: secret, ping_url, ...shown } = await created();
    expect(secret).toMatch(/^hm_ping_[A-Za-z0-9]{43}[0-9a-f]{6}$/);
    expect(ping_url).toBe(`https://mail.example.com/inbound/heartbeats/${secret}`);
    expect(shown).toEqual({
      id: expect.stringMatching(/^hbt_/),
      account_id: accountId,
      name: "backup",
      period_seconds: 3_600,
      cron: null,
      timezone: null,
      grace_seconds: 300,
      severity: "critical",
      event_type: "heartbeat",
      source: "heartbeat",
      entity_type: null,
      entity_id: null,
      tags: [],
      state: "new",
      next_due_at: null,
      alert_at: null,
      last_ping_at: null,
      last_ping_kind: null,
      last_success_at: null,
      started_at: null,
      duration_ms: null,
      down_since: null,
      down_reason: null,
      excused_at: null,
      token_prefix: secret.slice(0, 16),
      token_created_at: now().toISOString(),
      created_at: now().toISOString(),
      updated_at: now().toISOString(),
      revision: expect.any(String),
    });
    const { status, body } = await ask("GET", `/${shown.id}`);
    expect([status, body]).toEqual([200, shown]);
    expect(await world.identity.everything()).not.toContain(secret);
  });

  it("are listed, newest first, by name, state and tag", async () => {
    const first = await created({ name: "Nightly backup", tags: ["db"] });
    world.identity.time.pass(1);
    const second = await created({ name: "Report" });
    await ping(second.token);
    const names = async (query: string) =>
      (await ask("GET", query)).body.data.map(({ name }: { name: string }) => name);
    expect(await names("")).toEqual(["Report", "Nightly backup"]);
    expect(await names("?search=BACKUP")).toEqual(["Nightly backup"]);
    expect(await names("?state=up")).toEqual(["Report"]);
    expect(await names("?tag=db&state=new")).toEqual(["Nightly backup"]);
    const page = (await ask("GET", "?limit=1")).body;
    expect(page).toMatchObject({ has_more: true, data: [{ id: second.id }] });
    const rest = (await ask("GET", `?limit=1&cursor=${encodeURIComponent(page.next_cursor)}`)).body;
    expect(rest).toMatchObject({ has_more: false, data: [{ id: first.id }] });
    expect((await ask("GET", "?state=sleeping")).status).toBe(422);
  });

  it("are replaced as a whole, with the revision that was read", async () => {
    const { id, revision } = await created({ tags: ["db"], entity_id: "db-1", entity_type: "host" });
    const cron = { name: "nightly", cron: "30 2 * * *", timezone: "europe/berlin", if_revision: revision };
    const { status, body } = await ask("PUT", `/${id}`, cron);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        name: "nightly",
        period_seconds: null,
        cron: "30 2 * * *",
        timezone: "Europe/Berlin",
        tags: [],
        entity_id: null,
        entity_type: null,
      }),
    ]);
    const stale = await ask("PUT", `/${id}`, cron);
    expect(stale.problem).toMatchObject({ status: 409, code: "resource.stale", revision: body.revision });
    await ask("POST", `/${id}/pause`);
    expect((await ask("GET", `/${id}`)).body.revision).toBe(body.revision);
  });

  it.each([
    [{ name: " " }, "/name", "field.required"],
    [{ name: "x".repeat(101) }, "/name", "field.too_long"],
    [{ name: "a\u0007b" }, "/name", "field.invalid"],
    [{ period_seconds: 29 }, "/period_seconds", "field.invalid"],
    [{ period_seconds: 31_622_401 }, "/period_seconds", "field.invalid"],
    [{ period_seconds: undefined }, "/period_seconds", "field.required"],
    [{ cron: "0 0 * * *" }, "/period_seconds", "field.conflict"],
    [{ timezone: "UTC" }, "/timezone", "field.conflict"],
    [{ period_seconds: undefined, cron: "61 * * * *" }, "/cron", "field.invalid"],
    [{ period_seconds: undefined, cron: "0 0 30 2 *" }, "/cron", "field.invalid"],
    [{ period_seconds: undefined, cron: `0 0 ${"1,".repeat(50)}1 * *` }, "/cron", "field.invalid"],
    [{ period_seconds: undefined, cron: "@daily", timezone: "Mars/Olympus" }, "/timezone", "field.invalid"],
    [{ grace_seconds: 2_592_001 }, "/grace_seconds", "field.invalid"],
    [{ event_type: "x".repeat(256) }, "/event_type", "field.too_long"],
    [{ entity_id: "\u{1F4BE}".repeat(128) }, "/entity_id", "field.too_long"],
    [{ entity_type: "host" }, "/entity_type", "field.conflict"],
    [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, "/tags", "field.too_many"],
    [{ tags: ["ok", "x".repeat(65)] }, "/tags/1", "field.too_long"],
    [{ tags: [""] }, "/tags/0", "field.required"],
  ])("refuse %j with the field", async (settings, pointer, code) => {
    const before = { name: "backup", period_seconds: 3_600 };
    const { problem } = await ask("POST", "", { ...before, ...settings });
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer, code }] });
    expect((await ask("GET", "")).body.data).toEqual([]);
  });

  it.each([
    { severity: "page" },
    { period_seconds: 1.5 },
    { period_seconds: -60 },
    { unknown: true },
    { tags: "backup" },
  ])("refuse %j by the contract", async (settings) => {
    const { problem } = await ask("POST", "", { name: "backup", period_seconds: 3_600, ...settings });
    expect(problem.status).toBe(422);
  });

  it("have a bound on their number", async () => {
    const heartbeats = world.identity.db.collection("heartbeats");
    const all = Array.from({ length: MAX_HEARTBEATS }, (_, index) =>
      heartbeatDocument({ _id: `hbt_${accountId}_${index}`, accountId, tokenHash: `${accountId} ${index}` }),
    );
    await heartbeats.insertMany(all as never[]);
    const { problem } = await ask("POST", "", { name: "one more", period_seconds: 60 });
    expect(problem).toMatchObject({ status: 422, code: "heartbeat.too_many" });
    const { body } = await ask("GET", "?search=none");
    expect(body).toEqual({ data: [], has_more: false });
    await heartbeats.deleteMany({ accountId });
  });

  it("of another account do not exist", async () => {
    const { id } = await created();
    const other = await world.identity.memberOf(await world.identity.openAccount());
    const before = await ask("GET", `/${id}`);
    for (const [method, path] of [
      ["GET", `/${id}`],
      ["PUT", `/${id}`],
      ["POST", `/${id}/pause`],
      ["POST", `/${id}/resume`],
      ["POST", `/${id}/rotate-token`],
      ["GET", `/${id}/pings`],
      ["DELETE", `/${id}`],
    ] as const) {
      const body = method === "PUT" ? { name: "mine", period_seconds: 60 } : undefined;
      const { problem } = await world.ask(method, `/api/heartbeats${path}`, {
        token: other.token,
        ...(body && { body }),
      });
      expect([method, path, problem.status, problem.code]).toEqual([method, path, 404, "heartbeat.unknown"]);
    }
    expect((await ask("GET", `/${id}`)).body).toEqual(before.body);
  });
});

describe("a ping", () => {
  it("is accepted by GET and POST, with any body, and answers with the state", async () => {
    const { id, token: secret } = await created();
    expect(await ping(secret)).toMatchObject({ status: 200, body: { state: "up" } });
    const headers = { "content-type": "text/plain" };
    const posted = await ping(secret, { method: "POST", payload: "all done\n", headers });
    expect(posted).toMatchObject({ status: 200, body: { state: "up" } });
    expect((await ping(`${secret}/success`, { method: "POST" })).status).toBe(200);
    const [latest] = (await ask("GET", `/${id}/pings`)).body.data;
    expect(latest).toMatchObject({ number: 3, kind: "success", exit_status: null });
    const succeeded = (await ask("GET", `/${id}`)).body;
    expect(succeeded).toMatchObject({
      state: "up",
      last_ping_at: now().toISOString(),
      last_success_at: now().toISOString(),
      next_due_at: new Date(now().getTime() + HOUR).toISOString(),
      alert_at: new Date(now().getTime() + HOUR + 5 * MINUTE).toISOString(),
    });
  });

  it("is accepted with a body of up to 1 MB, and with a larger one of any form refused", async () => {
    const { id, token: secret } = await created();
    const headers = { "content-type": "text/plain" };
    const post = async (payload: string | Readable) =>
      (await ping(secret, { method: "POST", payload, headers })).status;
    const [full, larger] = ["x".repeat(1024 * 1024), "x".repeat(1024 * 1024 + 1)];
    expect([await post(full), await post(Readable.from([full]))]).toEqual([200, 200]);
    expect([await post(larger), await post(Readable.from([larger]))]).toEqual([413, 413]);
    expect((await ask("GET", `/${id}/pings`)).body.data).toHaveLength(2);
  });

  it("reports start, end and exit status, and the time in between", async () => {
    const { id, token: secret } = await created();
    await ping(`${secret}/start`);
    const started = (await ask("GET", `/${id}`)).body;
    expect(started).toMatchObject({ state: "new", started_at: now().toISOString() });
    await pass(41_999);
    expect((await ping(`${secret}/0`)).body).toEqual({ state: "up" });
    expect((await ask("GET", `/${id}`)).body).toMatchObject({ duration_ms: 42_000, started_at: null });
    expect((await ping(`${secret}/7`)).body).toEqual({ state: "down" });
    expect((await ask("GET", `/${id}`)).body).toMatchObject({ down_reason: "failed", duration_ms: null });
    const { data } = (await ask("GET", `/${id}/pings`)).body;
    const common = { via: "token", client_address: "127.0.0.1", at: expect.any(String) };
    expect(data).toEqual([
      { ...common, number: 3, kind: "fail", exit_status: 7, duration_ms: null },
      { ...common, number: 2, kind: "success", exit_status: 0, duration_ms: 42_000 },
      { ...common, number: 1, kind: "start", exit_status: null, duration_ms: null },
    ]);
  });

  it("with an unknown token or path is 404, and shows no token", async () => {
    const { token: secret } = await created();
    const mistyped = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`;
    for (const target of [newSecret("ping"), mistyped, "x", "hbt_1", `${secret}/stop`, `${secret}/256`]) {
      const { status, body } = await ping(target);
      expect([target, status]).toEqual([target, 404]);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
    const put = await ping(secret, { method: "PUT" });
    expect(put).toMatchObject({ status: 405, headers: { allow: "GET, POST" } });
  });

  it("with a mistyped token is refused without a call of the core", async () => {
    const sent: string[] = [];
    const note = ({ commandName }: { readonly commandName: string }) => sent.push(commandName);
    world.identity.db.client.on("commandStarted", note);
    await ping("hm_ping_mistyped");
    expect(sent).toEqual([]);
    await ping(newSecret("ping"));
    expect(sent).toEqual(["find"]);
    world.identity.db.client.off("commandStarted", note);
  });

  it("needs the new token after a rotation", async () => {
    const { id, token: former } = await created();
    const { body } = await ask("POST", `/${id}/rotate-token`);
    expect(body).toMatchObject({ id, ping_url: expect.stringContaining(body.token) });
    expect((await ping(former)).status).toBe(404);
    expect((await ping(body.token)).status).toBe(200);
  });

  it("is limited to 60 a minute for each heartbeat", async () => {
    const [{ token: secret }, other] = [await created(), await created()];
    for (let n = 0; n < 60; n++) expect((await ping(secret)).status).toBe(200);
    const { status, body, headers } = await ping(secret);
    expect([status, body.code]).toEqual([429, "rate.limited"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect((await ping(other.token)).status).toBe(200);
    world.identity.time.pass(MINUTE);
    expect((await ping(secret)).status).toBe(200);
  });

  it("is accepted with a key of the account and the id of the heartbeat", async () => {
    const { id } = await created();
    const { keys } = world.identity.operator;
    const keyOf = async (owner: string, scopeMode: string) =>
      (await keys.createKey({ accountId: owner, name: "cron", scopeMode })).secret;
    const own = await keyOf(accountId, "alerts_only");
    const bearer = { authorization: `Bearer ${own}` };
    expect(await ping(id, { headers: bearer })).toMatchObject({ status: 200, body: { state: "up" } });
    expect(await ping(`${id}/1`, { headers: { "x-api-key": own }, method: "POST" })).toMatchObject({
      body: { state: "down" },
    });
    expect((await ping(id)).body.code).toBe("auth.key_missing");
    const sending = await keyOf(accountId, "send_only");
    expect((await ping(id, { headers: { "x-api-key": sending } })).body.code).toBe("auth.scope_missing");
    const foreign = await keyOf(await world.identity.openAccount(), "alerts_only");
    expect((await ping(id, { headers: { "x-api-key": foreign } })).body.code).toBe("heartbeat.unknown");
    const [latest] = (await ask("GET", `/${id}/pings?limit=1`)).body.data;
    expect(latest).toMatchObject({ number: 2, via: "key", exit_status: 1 });
  });

  it("is kept with the latest ones, page by page", async () => {
    const { id } = await created();
    const { heartbeats } = world.identity.store.forAccount(accountId);
    const expireAt = new Date(now().getTime() + 30 * DAY);
    for (let number = 1; number <= KEPT_PINGS + 5; number++)
      await heartbeats.notePing({
        heartbeatId: id,
        number,
        at: now(),
        kind: "success",
        via: "token",
        clientAddress: "",
        expireAt,
      });
    const numbers: number[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await ask("GET", `/${id}/pings?limit=100${cursor && `&cursor=${cursor}`}`);
      numbers.push(...body.data.map(({ number }: { number: number }) => number));
      if (!body.has_more) break;
      cursor = body.next_cursor;
    }
    expect(numbers).toEqual(Array.from({ length: KEPT_PINGS }, (_, index) => KEPT_PINGS + 5 - index));
    expect((await ask("GET", `/${id}/pings?cursor=x`)).status).toBe(422);
  });
});

describe("a missing ping", () => {
  beforeEach(async () => {
    await account.putRule();
  });

  it("raises one alert after the grace time, mails it, and resolves it with the next ping", async () => {
    const settings = { tags: ["db"], event_type: "backup.missed", source: "cron", severity: "critical" };
    const { id, token: secret } = await created({ ...settings, entity_type: "host", entity_id: "db-1" });
    await pass(9 * DAY);
    expect(await alerts()).toEqual([]);
    await signIn();
    await ping(secret);
    const beganAt = now();
    await pass(HOUR);
    expect((await ask("GET", `/${id}`)).body.state).toBe("late");
    await pass(5 * MINUTE);
    await pass(DAY);
    await signIn();
    const [alert, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      status: "firing",
      dedupKey: id,
      occurredAt: new Date(beganAt.getTime() + HOUR + 5 * MINUTE),
      alert: {
        eventType: "backup.missed",
        severity: "critical",
        source: "cron",
        entityType: "host",
        entityId: "db-1",
        message: expect.stringMatching(
          /^No ping of "backup", expected at 2030-.* UTC\. The last success ping came at 2030-.* UTC\.$/,
        ),
        context: { heartbeat_id: id, heartbeat: "backup", reason: "missed", tags: ["db"] },
      },
      outcome: { status: "routed", matchedRules: ["pager"] },
    });
    expect((await ask("GET", `/${id}`)).body).toMatchObject({ state: "down", down_reason: "missed" });
    expect(await account.mails()).toHaveLength(1);
    expect((await ping(secret)).body).toEqual({ state: "up" });
    expect(await reasons()).toEqual(["missed", "returned"]);
    await account.check();
    expect((await account.incidents()).map(({ state }) => state)).toEqual(["resolved"]);
    expect(await account.mails()).toHaveLength(2);
  });

  it("has the name as its entity by default, and times in the zone of the expression", async () => {
    const cron = { period_seconds: undefined, cron: "30 2 * * *", timezone: "Europe/Berlin" };
    const { token: secret } = await created(cron);
    await ping(secret);
    await pass(2 * DAY);
    const [alert] = await alerts();
    expect(alert?.alert).toMatchObject({ entityType: "heartbeat", entityId: "backup" });
    expect(alert?.alert.message).toMatch(/expected at 2030-\d\d-\d\d 02:30 (?:CET|GMT\+1) \(01:30 UTC\)/);
  });

  it("is resolved when the heartbeat is paused or deleted, and nothing follows", async () => {
    const paused = await created();
    const deleted = await created({ name: "deleted" });
    await ping(`${paused.token}/fail`);
    await ping(`${deleted.token}/fail`);
    world.identity.time.pass(1);
    const answer = await ask("POST", `/${paused.id}/pause`);
    expect(answer.body).toMatchObject({ state: "paused", down_since: null });
    world.identity.time.pass(1);
    expect((await ask("DELETE", `/${deleted.id}`)).status).toBe(204);
    expect(await reasons()).toEqual(["failed", "failed", "paused", "deleted"]);
    expect((await ping(deleted.token)).status).toBe(404);
    expect((await ping(`${paused.token}/fail`)).body).toEqual({ state: "paused" });
    await pass(9 * DAY);
    expect(await reasons()).toHaveLength(4);
    expect((await account.incidents()).map(({ state }) => state)).toEqual(["resolved", "resolved"]);
  });

  it("keeps its alert while settings change, and is resolved with the new ones", async () => {
    const { id, token: secret } = await created();
    await ping(`${secret}/fail`);
    await ask("PUT", `/${id}`, { name: "renamed", period_seconds: 60, severity: "warning", entity_id: "x" });
    expect((await ask("GET", `/${id}`)).body.state).toBe("down");
    await ping(secret);
    const [, resolved] = await alerts();
    expect(resolved).toMatchObject({ status: "resolved", alert: { severity: "warning", entityId: "x" } });
    expect((await account.incidents()).map(({ state }) => state)).toEqual(["resolved"]);
  });

  it("that could not be received during an outage of Hermod is excused once", async () => {
    const { id, token: secret } = await created();
    await ping(secret);
    await pass(HOUR - 10 * MINUTE);
    // No core runs.
    world.identity.time.pass(20 * MINUTE);
    await world.identity.heartbeatWorker().check();
    const outageTo = new Date(now().getTime() + 5_000);
    expect((await ask("GET", `/${id}`)).body).toMatchObject({
      state: "up",
      excused_at: outageTo.toISOString(),
      next_due_at: new Date(outageTo.getTime() + HOUR).toISOString(),
    });
    await pass(HOUR + 5 * MINUTE + 5_000);
    expect(await reasons()).toEqual(["missed"]);
  });

  it("during a planned stop of any length is excused", async () => {
    const { id, token: secret } = await created();
    await ping(secret);
    await pass(HOUR);
    const core = world.identity.heartbeatWorker();
    await core.announce();
    await core.stop();
    world.identity.time.pass(2_000);
    await world.identity.heartbeatWorker().check();
    await pass(5 * MINUTE);
    expect((await ask("GET", `/${id}`)).body).toMatchObject({ state: "up", excused_at: expect.any(String) });
  });

  it("is not excused by the stop of one of two cores", async () => {
    const { token: secret } = await created();
    await ping(secret);
    await pass(HOUR);
    const [one, other] = [world.identity.heartbeatWorker(), world.identity.heartbeatWorker()];
    await one.announce();
    await other.announce();
    await one.stop();
    world.identity.time.pass(4_000);
    await other.check();
    await pass(5 * MINUTE);
    expect(await reasons()).toEqual(["missed"]);
  });

  it("raises an alert that a process left behind, and is not delayed by a damaged heartbeat", async () => {
    const { id, token: secret } = await created();
    await ping(secret);
    const { heartbeats } = world.identity.store.forAccount(accountId);
    const found = await heartbeats.find(id);
    if (!found) throw new Error("There is no heartbeat.");
    const words = { eventType: "e", severity: "critical", source: "s", message: "m" } as const;
    const alert = { ...words, context: { reason: "left" } };
    const pending = [{ number: 1, status: "firing", at: now(), alert }] as const;
    await heartbeats.advance(found, { ...found, pending, changes: 1, dueAt: now() });
    const named = { _id: "hbt_broken", accountId, tokenHash: "broken" };
    const broken = { ...heartbeatDocument(named), graceMs: "x" };
    const all = world.identity.db.collection<{ _id: string }>("heartbeats");
    await all.insertOne({ ...broken, dueAt: new Date(0) } as never);
    await pass(MINUTE);
    expect(await reasons()).toEqual(["left"]);
    expect(await all.findOne({ _id: "hbt_broken" })).toMatchObject({
      dueAt: new Date(now().getTime() + HOUR),
    });
    await all.deleteOne({ _id: "hbt_broken" });
  });
});
