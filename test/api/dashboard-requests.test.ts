import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  ({ token } = await world.identity.memberOf(accountId));
});

type KeyInit = NonNullable<Parameters<Dashboard["identity"]["operator"]["keys"]["createKey"]>[0]>;

async function newKey(init: KeyInit = {}) {
  const { key, secret } = await world.identity.operator.keys.createKey({ accountId, name: "Shop", ...init });
  return { keyId: key?.id ?? "", secret };
}

/** Sends a request that the edge or the core refuses, and has it recorded. */
async function send(headers: Record<string, string>, payload: object | string = {}, query = "") {
  const answer = await world.app.inject({
    method: "POST",
    url: `/v1/email/send${query}`,
    headers: { host: "api.test", "content-type": "application/json", ...headers },
    payload,
  });
  return { status: answer.statusCode, problem: answer.json() };
}

async function logged(query = "") {
  await world.requests.flush();
  const { status, body } = await world.ask("GET", `/api/requests${query}`, { token });
  expect(status).toBe(200);
  return body;
}

it("a refused request of a key is in its account's log, with the code and trace id of the answer", async () => {
  const key = await newKey();
  const { problem } = await send({ "x-api-key": key.secret, "content-length": "9" }, '{"to":[]}');
  const { data } = await logged();
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^req_/),
      account_id: accountId,
      at: expect.stringMatching(/Z$/),
      key_id: key.keyId,
      method: "POST",
      route: "/v1/email/send",
      status: problem.status,
      code: problem.code,
      trace_id: problem.sx_trace_id,
      message_id: "",
      duration_ms: expect.any(Number),
      client_address: "127.0.0.1",
      body_bytes: 9,
      replayed: false,
      count: 1,
    },
  ]);
  const one = await world.ask("GET", `/api/requests/${data[0].id}`, { token });
  expect(one.body).toEqual(data[0]);
});

it.each([
  ["that may not send", { scopeMode: "restricted", scopes: ["email.read"] }, 403, "auth.scope_missing"],
  ["from elsewhere", { allowedAddresses: ["192.0.2.0/24"] }, 403, "auth.address_not_allowed"],
  ["of another kind", { kind: "deliverability" }, 403, "auth.key_wrong_kind"],
])("a request with a key %s is logged in its account", async (_, init, status, code) => {
  const key = await newKey(init);
  const answer = await send({ "x-api-key": key.secret });
  expect([answer.status, answer.problem.code]).toEqual([status, code]);
  expect(JSON.stringify(answer.problem)).not.toContain(key.keyId);
  expect((await logged()).data).toMatchObject([
    { key_id: key.keyId, status, code, client_address: "127.0.0.1" },
  ]);
});

it("a request with a revoked key is logged, because a program still uses it", async () => {
  const key = await newKey();
  await world.identity.operator.keys.revokeKey({ accountId, key: key.keyId });
  await send({ "x-api-key": key.secret });
  expect((await logged()).data).toMatchObject([{ key_id: key.keyId, status: 401, code: "auth.key_invalid" }]);
});

it("requests with unknown keys, with sessions, or to unknown paths are not logged", async () => {
  const count = () => world.identity.db.collection("requests").countDocuments({});
  const before = await count();
  const unknown = (await newKey()).secret.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
  for (const headers of [{}, { "x-api-key": unknown }, { authorization: "Basic x" }]) await send(headers);
  await world.ask("GET", "/api/keys", { token });
  await world.ask("GET", "/nowhere", { token });
  await world.requests.flush();
  expect(await count()).toBe(before);
});

it("bodies, headers, queries and keys are nowhere in the database", async () => {
  const { secret } = await newKey();
  const marks = ["Body4711", "Agent4712", "Query4713", "Idem4714", "Cookie4715"];
  const headers = { "user-agent": "Agent4712", "idempotency-key": "Idem4714", cookie: "Cookie4715=1" };
  const body = { to: "Body4711", Body4711: "Body4711" };
  await send({ "x-api-key": secret, ...headers }, body, "?Query4713=Query4713");
  await send(headers, body, `?api_key=${secret}&Query4713=1`);
  await send({ "x-api-key": secret, ...headers }, '{"Body4711');
  expect((await logged()).data).toHaveLength(3);
  const everything = await world.identity.everything();
  for (const mark of [...marks, secret]) expect(everything).not.toContain(mark);
});

it("is searched by every filter, and names an invalid one", async () => {
  const [one, other] = [await newKey(), await newKey({ scopeMode: "alerts_only" })];
  await send({ "x-api-key": one.secret }, "{");
  const { problem } = await send({ "x-api-key": other.secret });
  const { data } = await logged();
  expect(data.map(({ key_id }: { key_id: string }) => key_id)).toEqual([other.keyId, one.keyId]);
  for (const [filter, found] of [
    [`key_id=${one.keyId}`, [one.keyId]],
    ["status=403", [other.keyId]],
    ["status=4xx&route=/v1/email/send&method=POST", [other.keyId, one.keyId]],
    ["code=request.malformed_json", [one.keyId]],
    [`trace_id=${problem.sx_trace_id}`, [other.keyId]],
    [`from=${data[1].at}&until=${data[0].at}`, data[1].at === data[0].at ? undefined : [one.keyId]],
    ["status=2xx", []],
  ] as const) {
    if (found === undefined) continue;
    const keys = (await logged(`?${filter}`)).data.map(({ key_id }: { key_id: string }) => key_id);
    expect([filter, keys]).toEqual([filter, found]);
  }
  const first = await logged("?limit=1");
  expect(first.has_more).toBe(true);
  const second = await logged(`?limit=1&cursor=${first.next_cursor}`);
  expect(second.data[0].id).toBe(data[1].id);
  for (const [query, pointer] of [
    ["status=none", "/status"],
    ["trace_id=x", "/trace_id"],
    ["from=yesterday", "/from"],
    ["cursor=x", "/cursor"],
  ]) {
    const refused = await world.ask("GET", `/api/requests?${query}`, { token });
    expect([refused.status, refused.problem.errors.map((error) => error.pointer)]).toEqual([422, [pointer]]);
  }
});

it("are counted by the status of their answers, for their account alone", async () => {
  const key = await newKey();
  for (let n = 0; n < 3; n++) await send({ "x-api-key": key.secret }, "{");
  await world.requests.flush();
  const get = (query: string, as = token) =>
    world.ask("GET", `/api/requests/statistics${query}`, { token: as });
  const { status, body } = await get("?step=hour");
  const none = {
    count: 0,
    status_2xx: 0,
    status_3xx: 0,
    status_4xx: 0,
    status_429: 0,
    status_5xx: 0,
    other: 0,
  };
  const three = { ...none, count: 3, status_4xx: 3 };
  expect(status).toBe(200);
  expect(body).toMatchObject({ step: "hour", all: three, measured_since: null });
  expect(body.points.at(-1)).toEqual({ at: expect.stringMatching(/:00:00\.000Z$/), counts: three });
  expect(body.points[0].counts).toEqual(none);
  const other = await world.identity.openAccount();
  const { token: stranger } = await world.identity.memberOf(other);
  expect((await get("", stranger)).body.all).toEqual(none);
  for (const [query, pointer] of [
    ["?step=minute", "/step"],
    ["?from=yesterday", "/from"],
    ["?from=2026-11-22T10:00:00Z&until=2026-11-22T10:00:00Z", "/until"],
  ] as const) {
    const refused = await get(query);
    expect([refused.status, refused.problem.errors.map((error) => error.pointer)]).toEqual([422, [pointer]]);
  }
});
