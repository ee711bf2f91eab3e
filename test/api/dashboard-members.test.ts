import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let accountId: string;
let token: string;
let userId: string;
let email: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  ({ token, userId, email } = await world.identity.memberOf(accountId));
  world.identity.time.pass(1);
});

describe("GET /api/members", () => {
  it("answers with the sign-in of each member and the number of owners, page by page", async () => {
    const viewer = await world.identity.memberOf(accountId, "viewer");
    const { status, body } = await world.ask("GET", "/api/members?limit=1", { token });
    expect([status, body.owners, body.has_more]).toEqual([200, 1, true]);
    const signIn = { second_factor: "none", meets_requirement: true, open_sessions: 1 };
    expect(body.data).toMatchObject([{ user_id: userId, email, role: "owner", ...signIn }]);
    expect(new Date(body.data[0].last_seen_at).getTime()).toBeGreaterThan(0);
    const next = await world.ask("GET", `/api/members?limit=1&cursor=${body.next_cursor}`, { token });
    expect(next.body.data).toMatchObject([{ email: viewer.email }]);
    const seen = await world.ask("GET", "/api/members", { token: viewer.token });
    const fields = ["email", "joined_at", "revision", "role", "user_id"];
    for (const one of seen.body.data) expect(Object.keys(one).toSorted()).toEqual(fields);
  });

  it("filters by role, address and missing second factor", async () => {
    const viewer = await world.identity.memberOf(accountId, "viewer");
    for (const [query, expected] of [
      ["role=viewer", [viewer.email]],
      [`search=${encodeURIComponent(email.toUpperCase())}`, [email]],
      ["without_second_factor=true&role=owner", [email]],
      ["without_second_factor=false", [email, viewer.email]],
    ] as const) {
      const { body } = await world.ask("GET", `/api/members?${query}`, { token });
      expect(body.data.map((one: { email: string }) => one.email)).toEqual(expected);
    }
    const path = "/api/members?without_second_factor=true";
    const { status, problem } = await world.ask("GET", path, { token: viewer.token });
    expect([status, problem.code]).toEqual([403, "auth.permission_missing"]);
  });

  it.each([
    ["role=god", "/role"],
    [`search=${"a".repeat(321)}`, "/search"],
    ["without_second_factor=yes", "/without_second_factor"],
    ["limit=1000", "/limit"],
    ["owner=1", "/owner"],
  ])("refuses %s by the name of its parameter", async (query, pointer) => {
    const { status, problem } = await world.ask("GET", `/api/members?${query}`, { token });
    expect([status, problem.errors?.map((error) => error.pointer)]).toEqual([422, [pointer]]);
  });
});

it("POST /api/members/{user_id}/sign-out ends the sessions of a member, who may sign in again", async () => {
  const bob = await world.identity.memberOf(accountId, "viewer");
  const path = `/api/members/${bob.userId}/sign-out`;
  const ended = await world.ask("POST", path, { token });
  expect([ended.status, ended.body]).toEqual([200, { ended: 1 }]);
  expect((await world.ask("GET", "/api/account", { token: bob.token })).status).toBe(401);
  const other = await world.identity.memberOf(await world.identity.openAccount());
  const foreign = await world.ask("POST", path, { token: other.token });
  expect([foreign.status, foreign.problem.code]).toEqual([404, "member.unknown"]);
});

it("GET /api/account/second-factor previews the requirement", async () => {
  const { status, body } = await world.ask("GET", "/api/account/second-factor", { token });
  expect(status).toBe(200);
  expect(body).toEqual({
    required: false,
    can_require: false,
    has_second_factor: false,
    without_count: 1,
    without: [{ user_id: userId, email, role: "owner" }],
    complete: true,
    revision: expect.any(String),
  });
});

it("GET /api/roles explains what the session's permissions are", async () => {
  const viewer = await world.identity.memberOf(accountId, "viewer");
  const { body } = await world.ask("GET", "/api/roles", { token: viewer.token });
  const { permissions } = (await world.ask("GET", "/api/session", { token: viewer.token })).body;
  expect(body.roles.at(-1)).toMatchObject({
    name: "viewer",
    permissions: expect.arrayContaining(permissions),
  });
  expect(body.roles.at(-1).permissions).toHaveLength(permissions.length);
  expect(body.permissions[0]).toEqual({ name: expect.any(String), description: expect.any(String) });
});

it("GET /api/audit/actions names actions that the filter of the log accepts", async () => {
  const { body } = await world.ask("GET", "/api/audit/actions", { token });
  const names = body.data.map(({ name }: { name: string }) => name);
  expect(names).toContain("member.sign_out");
  for (let at = 0; at < names.length; at += 50) {
    const action = names.slice(at, at + 50).join(",");
    expect((await world.ask("GET", `/api/audit?action=${action}`, { token })).status).toBe(200);
  }
});
