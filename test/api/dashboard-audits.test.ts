import { afterAll, beforeAll, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let token: string;
let email: string;

beforeAll(async () => {
  world = await openDashboard();
  accountId = await world.identity.openAccount();
  ({ token, email } = await world.identity.memberOf(accountId));
  await world.ask("POST", "/api/keys", { token, body: { name: "=shop", kind: "account" } });
  world.identity.time.pass(1_000);
});
afterAll(() => world.close());

it("the audit log is searched by every filter, in pages", async () => {
  const all = await world.ask("GET", "/api/audit?action=key&outcome=changed&limit=1", { token });
  expect(all.status).toBe(200);
  expect(all.body.data).toMatchObject([
    {
      account_id: accountId,
      actor: { kind: "user", name: email },
      action: "key.create",
      target: { kind: "key", name: "=shop" },
      outcome: "changed",
      count: 1,
    },
  ]);
  expect(all.body.has_more).toBe(false);
  const { at, target, actor } = all.body.data[0];
  const { body } = await world.ask("GET", "/api/audit?limit=1", { token });
  expect(body.has_more).toBe(true);
  const next = await world.ask("GET", `/api/audit?limit=1&cursor=${body.next_cursor}`, { token });
  expect(next.body.data[0].id).not.toBe(body.data[0].id);
  for (const filter of [
    `target_id=${target.id}`,
    `actor_id=${actor.id}&action=key`,
    `from=${at}&action=key`,
  ]) {
    const found = await world.ask("GET", `/api/audit?${filter}`, { token });
    expect(found.body.data).toMatchObject([{ action: "key.create" }]);
  }
  const before = await world.ask("GET", `/api/audit?until=${at}&action=key`, { token });
  expect(before.body.data).toEqual([]);
});

it.each([
  ["action=nothing", "/action"],
  ["from=yesterday", "/from"],
  ["from=2030-01-02T09:00:00Z&until=2030-01-02T09:00:00Z", "/until"],
  ["cursor=key_1", "/cursor"],
])("refuses %s by the name of its parameter", async (query, pointer) => {
  for (const path of ["/api/audit", "/api/audit/export"]) {
    if (path.endsWith("export") && query.startsWith("cursor")) continue;
    const { status, problem } = await world.ask("GET", `${path}?${query}`, { token });
    expect([status, problem.errors?.map((error) => error.pointer)]).toEqual([422, [pointer]]);
  }
});

it("the export is a CSV file without spreadsheet formulas", async () => {
  const answer = await world.ask("GET", "/api/audit/export?action=key", { token });
  expect(answer.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="audit.csv"',
  });
  const [heading, line, end] = String(answer.body).split("\r\n");
  expect(heading).toMatch(/^id,at,account_id,/);
  expect(line).toContain(",'=shop,");
  expect(end).toBe("");
  const { body } = await world.ask("GET", "/api/audit?action=audit.export", { token });
  expect(body.data).toMatchObject([{ outcome: "read", actor: { name: email } }]);
});

it("refuses an export without the permission", async () => {
  const viewer = await world.identity.memberOf(accountId, "viewer");
  const { status, problem } = await world.ask("GET", "/api/audit/export", { token: viewer.token });
  expect([status, problem.code]).toEqual([403, "auth.permission_missing"]);
  await world.identity.refusals.idle();
  const { body } = await world.ask("GET", "/api/audit?outcome=refused", { token });
  expect(body.data).toMatchObject([{ action: "audit.export", reason: "auth.permission_missing" }]);
});

it("shows each user the entries about them", async () => {
  const { body } = await world.ask("GET", "/api/audit/own", { token });
  expect(body.data.map(({ target }: { target: { kind: string } }) => target.kind)).toContain("member");
});
