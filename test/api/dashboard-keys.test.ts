import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { talk } from "../harness/raw-http.ts";

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId)).token;
});

const make = (body: object) => world.ask("POST", "/api/keys", { token, body });

const check = (apiKey: string) =>
  world.identity.frontEnd.keys.checkKey({ apiKey, kind: "account", scope: "email.send" });

describe("keys, in the dashboard", () => {
  it("are shown once, and work until they are revoked", async () => {
    const { status, body } = await make({ name: "Shop", scope_mode: "send_only" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      key: { name: "Shop", kind: "account", scope_mode: "send_only" },
      password: "",
    });
    expect(await check(body.secret)).toMatchObject({ keyId: body.key.id, accountId });
    const list = await world.ask("GET", "/api/keys", { token });
    expect(list.body).toEqual({ data: [body.key], has_more: false });
    expect(JSON.stringify(list.body)).not.toContain(body.secret);
    const revoked = await world.ask("POST", `/api/keys/${body.key.id}/revoke`, { token });
    expect(revoked.body).toMatchObject({ id: body.key.id, revoked_at: expect.any(String) });
    await expect(check(body.secret)).rejects.toMatchObject({ code: "auth.key_invalid" });
  });

  it("for the relay have a password", async () => {
    const { body } = await make({ name: "Printer", kind: "smtp" });
    expect(body.secret).toMatch(/^hm_smtp_/);
    expect(body.password).toMatch(/^\w{20,}$/);
  });

  it("are listed by kind, in pages", async () => {
    for (const kind of ["account", "smtp", "account", "deliverability", "account"]) {
      await make({ name: kind, kind });
    }
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ kind: "account", limit: "2", ...(cursor && { cursor }) });
      const { body } = await world.ask("GET", `/api/keys?${query}`, { token });
      expect(body.has_more).toBe(body.next_cursor !== undefined);
      names.push(...body.data.map(({ name }: { name: string }) => name));
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    expect(names).toEqual(["account", "account", "account"]);
  });

  it("are refused with an error for each invalid field", async () => {
    const wrong = {
      name: "x".repeat(101),
      scope_mode: "restricted",
      scopes: ["email.sent"],
      senders: ["example..com"],
      allowed_addresses: ["192.0.2.0/33"],
      expires_at: "tomorrow",
    };
    const first = await make(wrong);
    expect(first.problem.errors).toMatchObject([{ pointer: "/expires_at", code: "field.invalid" }]);
    const { problem, status } = await make({ ...wrong, expires_at: "2020-01-01T00:00:00Z" });
    expect(status).toBe(422);
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual([
      "/allowed_addresses/0",
      "/expires_at",
      "/name",
      "/scopes/0",
      "/senders/0",
    ]);
    expect((await world.ask("GET", "/api/keys", { token })).body.data).toEqual([]);
  });

  it.each([
    [
      "account",
      "restricted",
      "templates.write",
      "/scopes/0",
      '"templates.write" is not allowed. Use one of email.send, email.read',
    ],
    [
      "account",
      "restricted",
      "intel.read",
      "/scopes/0",
      '"intel.read" is not allowed. Use one of email.send',
    ],
    ["deliverability", "restricted", "email.*", "/scopes/0", "Use one of intel.read, intel.write, intel.*."],
    [
      "deliverability",
      "send_only",
      undefined,
      "/scope_mode",
      '"send_only" is not allowed. Use one of full, restricted.',
    ],
    ["smtp", "alerts_only", undefined, "/scope_mode", "Use one of full, send_only, restricted."],
  ])("of kind %s are refused as %s with the scope %s: they would allow nothing", async (...init) => {
    const [kind, scopeMode, scope, pointer, message] = init;
    const { status, problem } = await make({
      name: "Shop",
      kind,
      scope_mode: scopeMode,
      scopes: scope ? [scope] : [],
    });
    expect(status).toBe(422);
    expect(problem.errors).toEqual([expect.objectContaining({ pointer, code: "field.invalid" })]);
    expect(problem.errors[0]?.message).toContain(message);
  });

  it("are rotated with an overlap of one day by default", async () => {
    const { body: former } = await make({ name: "Shop" });
    const { status, body } = await world.ask("POST", `/api/keys/${former.key.id}/rotate`, {
      token,
      body: {},
    });
    expect(status).toBe(201);
    const overlapMs = Date.parse(body.former.expires_at) - Date.parse(body.former.superseded_at);
    expect(overlapMs).toBe(86_400_000);
    expect(await check(former.secret)).toMatchObject({ keyId: former.key.id });
    expect(await check(body.secret)).toMatchObject({ keyId: body.key.id });
  });

  it.each(["?limit=0", "?limit=101", "?limit=x", "?cursor=zzz", "?kind=other", "?kin=smtp"])(
    "refuse the unknown filter %s by name",
    async (query) => {
      const { status, problem } = await world.ask("GET", `/api/keys${query}`, { token });
      expect(status).toBe(422);
      const [name] = query.slice(1).split("=");
      expect(problem.errors.map(({ pointer }) => pointer)).toEqual([`/${name}`]);
      expect(problem.detail).not.toContain("page_token");
    },
  );
});

describe("the body of a request", () => {
  it("may have a media type without content if no body is expected, because many programs send it", async () => {
    const { body } = await make({ name: "Shop", scope_mode: "send_only" });
    const headers = { "content-type": "application/json" };
    const revoked = await world.ask("POST", `/api/keys/${body.key.id}/revoke`, { token, headers });
    expect([revoked.status, revoked.body.id]).toEqual([200, body.key.id]);
    const empty = await world.ask("POST", "/api/keys", { token, headers });
    expect([empty.status, empty.problem.code]).toEqual([400, "request.malformed_json"]);
    expect((await world.ask("DELETE", "/api/session", { token, headers })).status).toBe(204);
  });

  it("is not awaited without a valid session", async () => {
    const url = await world.app.listen({ host: "127.0.0.1", port: 0 });
    const head = [
      "POST /api/keys HTTP/1.1",
      "Host: dashboard.test",
      "Content-Type: application/json",
      "Content-Length: 1000000",
      "Sec-Fetch-Site: same-origin",
      "Cookie: hermod=nobodys",
    ];
    const [answer] = await talk(url, `${head.join("\r\n")}\r\n\r\n{`);
    expect([answer?.status, answer?.problem.code]).toEqual([401, "auth.session_invalid"]);
  });
});
