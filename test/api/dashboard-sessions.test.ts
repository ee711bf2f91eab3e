import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { PASSWORD } from "../harness/identity.ts";

const NEW_PASSWORD = "other uncommon words of hers";

let world: Dashboard;
let accountId: string;

beforeAll(async () => {
  world = await openDashboard({ trustedProxies: ["127.0.0.1"] });
  accountId = await world.identity.openAccount();
});
afterAll(() => world.close());

const signIn = (email: string, headers: Record<string, string> = {}) =>
  world.ask("POST", "/api/session", { body: { email, password: PASSWORD }, headers });

describe("sign-in", () => {
  it("returns the signed-in user, and sets a cookie that scripts and other sites never get", async () => {
    const { email, userId } = await world.identity.memberOf(accountId, "developer");
    const answer = await signIn(email);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user_id: userId,
        email,
        account_id: accountId,
        memberships: [{ account_id: accountId, account_name: "Acme", role: "developer" }],
        must_change_password: false,
        encrypted: false,
        session: { current: true, client_address: "127.0.0.1" },
      },
      headers: { "cache-control": "no-store" },
    });
    expect(answer.body.permissions).toContain("keys.write");
    const [cookie, ...others] = answer.cookies;
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: "hermod", path: "/", httpOnly: true, sameSite: "Lax" });
    expect(cookie).not.toHaveProperty("secure");
    expect(cookie).not.toHaveProperty("domain");
    expect(cookie?.expires).toEqual(new Date(answer.body.session.ends_at.replace(/\.\d+/, ".000")));
    expect(JSON.stringify(answer.body)).not.toContain(cookie?.value);
    const found = await world.ask("GET", "/api/session", { token: cookie?.value ?? "" });
    expect(found.body).toEqual(answer.body);
  });

  it("over HTTPS sets a cookie that is bound to it and to the host", async () => {
    const { email } = await world.identity.memberOf(accountId);
    const headers = { "x-forwarded-proto": "https" };
    const answer = await signIn(email, headers);
    expect(answer.body.encrypted).toBe(true);
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name: "__Host-hermod", path: "/", secure: true, httpOnly: true });
    const own = { ...headers, cookie: `__Host-hermod=${cookie?.value}` };
    expect((await world.ask("GET", "/api/session", { headers: own })).status).toBe(200);
    // A cookie with another name, which for example a neighboring host can set, signs in no user.
    const foreign = { ...headers, cookie: `hermod=${cookie?.value}` };
    expect((await world.ask("GET", "/api/session", { headers: foreign })).problem.code).toBe(
      "auth.session_missing",
    );
  });

  it("names the invalid field", async () => {
    const answer = await world.ask("POST", "/api/session", { body: { email: 1, pasword: "x" } });
    expect(answer.status).toBe(422);
    expect(answer.problem.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["/email", "field.type"],
      ["/password", "field.required"],
      ["/pasword", "field.unknown"],
    ]);
  });

  it("requires JSON, which no form of another site can send", async () => {
    const { statusCode, json } = await world.app.inject({
      method: "POST",
      url: "/api/session",
      headers: { "content-type": "text/plain", "sec-fetch-site": "same-origin" },
      payload: JSON.stringify({ email: "ada@example.com", password: PASSWORD }),
    });
    expect([statusCode, json().code]).toEqual([415, "request.unsupported_media_type"]);
  });

  it("accepts only small bodies from unauthenticated clients", async () => {
    const body = { email: "ada@example.com", password: "x".repeat(20_000) };
    const answer = await world.ask("POST", "/api/session", { body });
    expect([answer.status, answer.problem.code]).toEqual([413, "request.too_large"]);
  });
});

describe("a session", () => {
  it("gets a new token after each privilege increase, and the former token stops working", async () => {
    const { token } = await world.identity.memberOf(accountId);
    const other = await world.identity.operator.accounts.createAccount({ name: "Globex" });
    const body = { password: PASSWORD };
    const renewed = await world.ask("POST", "/api/session/reauthenticate", { token, body });
    const [cookie] = renewed.cookies;
    expect(cookie?.value).not.toBe(token);
    expect((await world.ask("GET", "/api/session", { token })).status).toBe(401);
    const next = cookie?.value ?? "";
    expect((await world.ask("GET", "/api/session", { token: next })).status).toBe(200);
    const foreign = { account_id: other.account?.id };
    const refused = await world.ask("POST", "/api/session/account", { token: next, body: foreign });
    expect([refused.status, refused.problem.code]).toEqual([404, "account.unknown"]);
    expect((await world.ask("GET", "/api/session", { token: next })).status).toBe(200);
  });

  it("ends with sign-out, and the browser clears its stored data", async () => {
    const { token } = await world.identity.memberOf(accountId);
    const answer = await world.ask("DELETE", "/api/session", { token });
    expect(answer).toMatchObject({
      status: 204,
      headers: { "clear-site-data": '"cache", "storage"' },
      cookies: [{ name: "hermod", value: "", expires: new Date(0) }],
    });
    expect((await world.ask("GET", "/api/session", { token })).problem.code).toBe("auth.session_invalid");
  });

  it("is ended in other browsers by a password change", async () => {
    const { token, userId, email } = await world.identity.memberOf(accountId);
    const elsewhere = await world.identity.openSession({ _id: userId, email }, accountId);
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    const changed = await world.ask("POST", "/api/session/password", { token, body });
    expect(changed.status).toBe(200);
    expect((await world.ask("GET", "/api/session", { token: elsewhere })).status).toBe(401);
    const again = { email, password: NEW_PASSWORD };
    expect((await world.ask("POST", "/api/session", { body: again })).status).toBe(200);
  });

  it("lists and ends the other sessions of its user", async () => {
    const { token, userId, email } = await world.identity.memberOf(accountId);
    const elsewhere = await world.identity.openSession({ _id: userId, email }, accountId);
    const { data } = (await world.ask("GET", "/api/sessions", { token })).body;
    expect(data.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const ended = await world.ask("POST", "/api/session/end-others", { token });
    expect(ended.body).toEqual({ ended: 1 });
    expect((await world.ask("GET", "/api/session", { token: elsewhere })).status).toBe(401);
    expect((await world.ask("GET", "/api/session", { token })).status).toBe(200);
  });

  it("allows sensitive operations for ten minutes after a factor was shown", async () => {
    const { token } = await world.identity.memberOf(accountId);
    world.identity.time.pass(11 * 60_000);
    const refused = await world.ask("POST", "/api/keys", { token, body: { name: "Shop" } });
    expect([refused.status, refused.problem.code]).toEqual([403, "auth.reauthentication_required"]);
    const restricted = { name: "Shop", scope_mode: "restricted", scopes: ["email.*"] };
    const scoped = await world.ask("POST", "/api/keys", { token, body: restricted });
    expect([scoped.status, scoped.problem.code]).toEqual([403, "auth.reauthentication_required"]);
    const body = { password: PASSWORD };
    const { cookies } = await world.ask("POST", "/api/session/reauthenticate", { token, body });
    const fresh = cookies[0]?.value ?? "";
    expect((await world.ask("POST", "/api/keys", { token: fresh, body: { name: "Shop" } })).status).toBe(201);
  });
});

describe("the origin of a request", () => {
  const change = async (headers: Record<string, string>, base = world) => {
    const { token } = await base.identity.memberOf(accountId);
    const { statusCode } = await base.app.inject({
      method: "PATCH",
      url: "/api/account",
      headers: { host: "dashboard.test:8080", ...headers },
      cookies: { hermod: token },
      payload: { name: "Acme" },
    });
    return statusCode;
  };

  it("is read from Origin if the browser sends nothing else", async () => {
    expect(await change({ origin: "http://dashboard.test:8080" })).toBe(200);
    expect(await change({ origin: "http://dashboard.test" })).toBe(403);
  });

  it("does not matter for a request that changes nothing, or has no session", async () => {
    const { token, email } = await world.identity.memberOf(accountId);
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await world.ask("GET", "/api/account", { token, headers })).status).toBe(200);
    const { statusCode } = await world.app.inject({
      method: "POST",
      url: "/api/session",
      payload: { email, password: PASSWORD },
    });
    expect(statusCode).toBe(200);
  });
});

describe("behind a proxy that names another host", () => {
  it("is the address in HERMOD_BASE_URL", async () => {
    const proxied = await openDashboard({ baseUrl: "https://mail.example.com" });
    const { account } = await proxied.identity.operator.accounts.createAccount({ name: "Acme" });
    const { token } = await proxied.identity.memberOf(account?.id ?? "");
    const ask = async (headers: Record<string, string>) => {
      const url = "/api/account";
      const answer = await proxied.app.inject({ method: "PATCH", url, headers, payload: { name: "Acme" } });
      return answer.json().code ?? answer.statusCode;
    };
    const origin = "https://mail.example.com";
    const cookies = { cookie: `hermod=${token}; __Host-hermod=${token}` };
    expect(await ask({ host: "hermod:8080", origin, ...cookies })).toBe(200);
    expect(await ask({ host: "mail.example.com", origin, ...cookies })).toBe(200);
    expect(await ask({ host: "hermod:8080", origin: "https://mail.example.org", ...cookies })).toBe(
      "request.cross_site",
    );
    await proxied.close();
  });
});
