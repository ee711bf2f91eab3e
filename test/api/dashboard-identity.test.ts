import { PassThrough } from "node:stream";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { createAuthenticator } from "../harness/authenticator.ts";
import { type Dashboard, type DashboardAnswer, openDashboard } from "../harness/dashboard.ts";
import { BASE_URL, PASSWORD } from "../harness/identity.ts";
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from "../harness/oidc-provider.ts";

const CALLBACK = `${BASE_URL}/api/session/oidc/callback`;
const password = "several uncommon words of mine";

let provider: TestProvider;
let world: Dashboard;
let accountId: string;
let logged = "";

beforeAll(async () => {
  provider = await startProvider(CALLBACK);
  const destination = new PassThrough();
  destination.on("data", (chunk) => {
    logged += chunk;
  });
  const oidc = {
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    name: "Acme login",
    scopes: "openid email profile",
    redirectUri: CALLBACK,
    roleClaim: "groups",
    roles: [{ value: "*", role: "viewer" }],
    accountId: undefined,
  } as const;
  world = await openDashboard({
    isSignUpOpen: true,
    oidc,
    log: createLogger("debug", destination),
  });
  accountId = await world.identity.openAccount();
  world.identity.time.pass(1);
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

const post = (path: string, body?: object, token?: string) =>
  world.ask("POST", path, { ...(body && { body }), ...(token !== undefined && { token }) });

/** The token of the session in an answer. */
function sessionOf({ status, body, cookies }: DashboardAnswer): string {
  expect([status, body?.code]).toEqual([status < 300 ? status : 200, undefined]);
  const [cookie] = cookies.filter(({ name }) => name === "hermod");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  return cookie?.value ?? "";
}

const whoIs = async (token: string) => (await world.ask("GET", "/api/session", { token })).body;

it("an invitation is accepted by a new user, and by a signed-in user", async () => {
  const owner = await world.identity.memberOf(accountId);
  const email = "new@example.com";
  const made = await post("/api/invitations", { email, role: "support" }, owner.token);
  expect([made.status, made.body.email, made.body.invited_by]).toEqual([201, email, owner.email]);
  const listed = await world.ask("GET", "/api/invitations", { token: owner.token });
  expect(listed.body.data).toMatchObject([{ id: made.body.id }]);
  const token = world.identity.tokenTo(email);
  const found = await post("/api/invitation/find", { token });
  expect(found.body).toMatchObject({
    account_name: "Acme",
    has_user: false,
    invitation: { role: "support" },
  });
  const accepted = await post("/api/invitation/accept", { token, password });
  expect(await whoIs(sessionOf(accepted))).toMatchObject({ email, account_id: accountId });

  const { account } = await world.identity.operator.accounts.createAccount({ name: "Other" });
  const other = await world.identity.memberOf(account?.id ?? "");
  await post("/api/invitations", { email: other.email, role: "viewer" }, owner.token);
  const joined = await post(
    "/api/invitation/join",
    { token: world.identity.tokenTo(other.email) },
    other.token,
  );
  expect([joined.status, joined.body]).toEqual([200, { account_id: accountId }]);
});

it("a forgotten password is reset without disclosing whether the address is known", async () => {
  const { email } = await world.identity.memberOf(accountId);
  const asked = await post("/api/password-reset", { email });
  const unknown = await post("/api/password-reset", { email: "nobody@example.com" });
  expect([asked.status, asked.body]).toEqual([204, unknown.body]);
  expect(unknown.status).toBe(204);
  await world.identity.settled();
  const token = world.identity.tokenTo(email);
  expect((await post("/api/password-reset/find", { token })).body).toEqual({ email });
  const weak = await post("/api/password-reset/complete", { token, new_password: "short" });
  expect([weak.status, weak.problem.errors[0]?.pointer]).toEqual([422, "/new_password"]);
  const done = await post("/api/password-reset/complete", { token, new_password: password });
  expect([done.status, done.body, done.cookies]).toEqual([200, { email }, []]);
  sessionOf(await post("/api/session", { email, password }));
});

it("a new user signs up", async () => {
  const email = "stranger@example.com";
  expect((await post("/api/sign-up", { email })).status).toBe(204);
  await world.identity.settled();
  const token = world.identity.tokenTo(email);
  expect((await post("/api/sign-up/find", { token })).body).toEqual({ email });
  const done = await post("/api/sign-up/complete", { token, password, account_name: "Strangers" });
  expect(await whoIs(sessionOf(done))).toMatchObject({ memberships: [{ account_name: "Strangers" }] });
});

it("an authenticator app is set up, required, and removed", async () => {
  const { email, token } = await world.identity.memberOf(accountId);
  const { body: begun } = await post("/api/factors/totp", undefined, token);
  const codeNow = () =>
    new TOTP({ secret: begun.secret }).generate({ timestamp: world.identity.time.clock.now().getTime() });
  const confirmed = await post("/api/factors/totp/confirm", { code: codeNow() }, token);
  expect(confirmed.body.recovery_codes).toHaveLength(10);
  expect(confirmed.headers["cache-control"]).toBe("no-store");
  const own = sessionOf(confirmed);
  expect((await world.ask("GET", "/api/factors", { token: own })).body).toMatchObject({
    recovery_codes_left: 10,
    passkeys: [],
    identities: [],
  });
  world.identity.time.pass(30_000);
  const waiting = await post("/api/session", { email, password: PASSWORD });
  expect(waiting.body).toMatchObject({
    second_factor_required: true,
    second_factors: ["totp", "recovery_code"],
  });
  const half = sessionOf(waiting);
  const wrong = await post("/api/session/second-factor", { totp_code: "000000" }, half);
  expect([wrong.status, wrong.problem.code, wrong.cookies]).toEqual([401, "auth.factor_invalid", []]);
  const whole = sessionOf(await post("/api/session/second-factor", { totp_code: codeNow() }, half));
  expect(await whoIs(whole)).toMatchObject({ second_factor_required: false, factors: ["password", "totp"] });
  const required = await world.ask("PUT", "/api/account/second-factor", {
    token: whole,
    body: { required: false },
  });
  expect([required.status, required.body.requires_second_factor]).toEqual([200, false]);
  world.identity.time.pass(30_000);
  const again = sessionOf(await post("/api/session/reauthenticate", { totp_code: codeNow() }, whole));
  const removed = await world.ask("DELETE", "/api/factors/totp", { token: again });
  expect(removed.status).toBe(204);
  expect(await whoIs(sessionOf(removed))).toMatchObject({ second_factors: [] });
  expect((await world.ask("GET", "/api/session", { token: own })).problem.code).toBe("auth.session_invalid");
});

it("a passkey is added, signs in, and works as second factor", async () => {
  const { email, token } = await world.identity.memberOf(accountId);
  const device = createAuthenticator();
  const here = { origin: BASE_URL };
  const { body: begun } = await post("/api/factors/passkey-options", undefined, token);
  const response = JSON.parse(device.register(JSON.stringify(begun.options), here));
  const added = await post("/api/factors/passkeys", { name: "Laptop", response }, token);
  expect([added.status, added.body.passkey.name]).toEqual([201, "Laptop"]);
  const own = sessionOf(added);
  const renamed = await world.ask("PATCH", `/api/factors/passkeys/${device.id}`, {
    token: own,
    body: { name: "Phone" },
  });
  expect(renamed.body.name).toBe("Phone");
  const { body: request } = await post("/api/session/passkey/options");
  const signedIn = await post("/api/session/passkey", {
    response: JSON.parse(device.prove(JSON.stringify(request.options), here)),
  });
  expect(await whoIs(sessionOf(signedIn))).toMatchObject({ email, factors: ["passkey"] });
  const half = sessionOf(await post("/api/session", { email, password: PASSWORD }));
  const { body: proof } = await post("/api/session/passkey-proof", undefined, half);
  const passkey_response = JSON.parse(device.prove(JSON.stringify(proof.options), here));
  const shown = await post("/api/session/second-factor", { passkey_response }, half);
  expect(await whoIs(sessionOf(shown))).toMatchObject({ factors: ["password", "passkey"] });
});

it("a user signs in with a provider, only in the browser that was sent there", async () => {
  provider.become({ sub: "one", email: "one@example.com", email_verified: true });
  const begun = await post("/api/session/oidc");
  const [away] = begun.cookies;
  expect(away).toMatchObject({ name: "hermod-oidc", httpOnly: true, sameSite: "Lax", path: "/" });
  const back = await provider.visit(begun.body.url);
  // Like a browser that returns from another site by a link.
  const come = (cookies: Record<string, string>) =>
    world.app.inject({
      method: "GET",
      url: `${back.pathname}${back.search}`,
      headers: { host: "dashboard.test", "sec-fetch-site": "cross-site" },
      cookies,
    });
  const other = await come({ "hermod-oidc": "another" });
  expect([other.statusCode, other.headers.location]).toEqual([
    303,
    "/dashboard/sign-in?fault=oidc.request_unknown",
  ]);
  const second = await post("/api/session/oidc");
  const [kept] = second.cookies;
  const returned = await provider.visit(second.body.url);
  const answer = await world.app.inject({
    method: "GET",
    url: `${returned.pathname}${returned.search}`,
    headers: { host: "dashboard.test", "sec-fetch-site": "cross-site" },
    cookies: { "hermod-oidc": kept?.value ?? "" },
  });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/dashboard"]);
  const session = answer.cookies.find(({ name }) => name === "hermod");
  expect(answer.cookies.find(({ name }) => name === "hermod-oidc")).toMatchObject({ value: "" });
  expect(await whoIs(session?.value ?? "")).toMatchObject({ email: "one@example.com", factors: ["oidc"] });
});

it("the sign-in options are public", async () => {
  const { status, body } = await world.ask("GET", "/api/session/options");
  expect([status, body]).toEqual([
    200,
    { passkeys: true, oidc_name: "Acme login", password_reset: true, sign_up: true },
  ]);
});

it("an account is deleted by its owner", async () => {
  const { account } = await world.identity.operator.accounts.createAccount({ name: "Going" });
  const { token } = await world.identity.memberOf(account?.id ?? "");
  expect((await world.ask("DELETE", "/api/account", { token })).status).toBe(204);
  expect(await whoIs(token)).toMatchObject({ account_id: "", memberships: [] });
});

it("the log of requests contains no secrets", async () => {
  const { email } = await world.identity.memberOf(accountId);
  await post("/api/password-reset", { email });
  await world.identity.settled();
  const token = world.identity.tokenTo(email);
  logged = "";
  await post("/api/password-reset/find", { token: `${token}x` });
  await post("/api/password-reset/find", { token });
  await post("/api/password-reset/complete", { token, new_password: password });
  const half = await world.app.inject({
    method: "GET",
    url: `/api/session/oidc/callback?state=secret-state&code=secret-code`,
    headers: { host: "dashboard.test" },
    cookies: { "hermod-oidc": "secret-browser" },
  });
  expect(half.statusCode).toBe(303);
  expect(logged).toContain("/api/password-reset/find");
  for (const secret of [token, password, "secret-state", "secret-code", "secret-browser"])
    expect(logged).not.toContain(secret);
});
