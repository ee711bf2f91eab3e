import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OidcSettings } from "../../src/core/access/oidc.ts";
import { BASE_URL, type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from "../harness/oidc-provider.ts";

const MINUTE_MS = 60_000;
const REDIRECT_URI = `${BASE_URL}/api/session/oidc/callback`;

let provider: TestProvider;
let identity: Identity;
let first: string;
let count = 0;
/** Identity of the test's user at the provider. */
let sub: string;
let email: string;

function settings(issuer: string, changes: Partial<OidcSettings> = {}): OidcSettings {
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    name: "Acme login",
    scopes: "openid email profile",
    redirectUri: REDIRECT_URI,
    roleClaim: "groups",
    roles: [
      { value: "mail-admins", role: "admin" },
      { value: "staff", role: "viewer" },
    ],
    accountId: undefined,
    ...changes,
  };
}

beforeAll(async () => {
  provider = await startProvider(REDIRECT_URI);
  identity = await openIdentity({ oidc: settings(provider.issuer) });
  first = await identity.openAccount("The operator's");
  identity.time.pass(1);
});
afterAll(async () => {
  await provider.close();
  await identity.close();
});
beforeEach(() => {
  sub = `person-${count++}`;
  email = `${sub}@example.com`;
});

const of = (session: string) => identity.as({ session });
const sessions = () => identity.as({}).sessions;

/** Parameters with which the provider sends the browser back, and the token of the browser. */
async function away(claims: object, begun?: { url: string; browserToken: string }) {
  provider.become({ sub, ...claims });
  const { url, browserToken } = begun ?? (await sessions().beginOidc({}));
  const back = await provider.visit(url);
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI);
  return { query: back.search.slice(1), browserToken };
}

const signIn = async (claims: object) => (await sessions().finishOidc(await away(claims))).sessionToken;
const staff = () => ({ email, email_verified: true, groups: ["staff"] });

describe("a new user from the provider", () => {
  it("is created with the role of the claim in the first account", async () => {
    const token = await signIn({ ...staff(), groups: ["other", "staff"] });
    expect(await of(token).sessions.getSession({})).toMatchObject({
      email,
      accountId: first,
      memberships: [{ accountId: first, role: "viewer" }],
      factors: ["oidc"],
      mustChangePassword: false,
    });
    for (const password of ["", " ", "x"])
      await expect(sessions().signIn({ email, password })).rejects.toMatchObject({
        code: "auth.credentials_invalid",
      });
    const { identities } = await of(token).factors.listFactors({});
    expect(identities).toMatchObject([{ issuer: provider.issuer, email }]);
    const entries = await identity.store.forAccount(first).audit.list({
      actions: ["session.finish_oidc"],
      limit: 10,
    });
    const ofUser = entries.filter(({ actor }) => actor.name === email);
    expect(ofUser.map(({ target }) => target.kind).sort()).toEqual(["identity", "member", "session"]);
  });

  it("stays the same user with any address, and gets the role of the current claim", async () => {
    const token = await signIn(staff());
    const { userId } = await of(token).sessions.getSession({});
    const again = await signIn({ email: `new-${email}`, email_verified: true, groups: ["mail-admins"] });
    expect(await of(again).sessions.getSession({})).toMatchObject({
      userId,
      email,
      memberships: [{ role: "admin" }],
    });
    const without = await signIn({ email, email_verified: true, groups: [] });
    expect(await of(without).sessions.getSession({})).toMatchObject({
      userId,
      accountId: "",
      memberships: [],
    });
    const back = await signIn(staff());
    expect(await of(back).sessions.getSession({})).toMatchObject({
      userId,
      memberships: [{ role: "viewer" }],
    });
  });

  it.each([
    ["no role", { groups: ["other"] }],
    ["no groups", { groups: undefined }],
    ["an address that the provider has not verified", { email_verified: false }],
    ["an address of which it does not say", { email_verified: undefined }],
    ["no address", { email: undefined }],
    ["something else than an address", { email: "nobody" }],
  ])("with %s cannot sign in", async (_what, changes) => {
    await expect(signIn({ ...staff(), ...changes })).rejects.toMatchObject({ code: "oidc.not_allowed" });
    expect(await identity.store.users.findByEmail(email)).toBeNull();
  });

  it("is never matched to a user by the address only", async () => {
    await identity.signedIn(email, first, "owner");
    await expect(signIn({ ...staff(), email: email.toUpperCase() })).rejects.toMatchObject({
      code: "oidc.link_required",
    });
  });
});

it("refuses an ID token with a signature that the provider's published keys do not verify", async () => {
  provider.forge(true);
  try {
    await expect(signIn(staff())).rejects.toMatchObject({ code: "oidc.refused" });
  } finally {
    provider.forge(false);
  }
  expect(await identity.store.users.findByEmail(email)).toBeNull();
  expect(await signIn(staff())).not.toBe("");
});

describe("a user who links an identity", () => {
  it("signs in with the provider from then on, and is notified of it", async () => {
    const user = await identity.memberOf(first, "support");
    const begun = await of(user.token).sessions.beginOidcLink({});
    const linked = await sessions().finishOidc(await away({ groups: [] }, begun));
    expect(linked.sessionToken).toBe("");
    expect(identity.mails(user.email).at(-1)?.text).toContain("You can now sign in with Acme login.");
    const token = await signIn({ groups: ["mail-admins"] });
    expect(await of(token).sessions.getSession({})).toMatchObject({
      userId: user.userId,
      memberships: [{ role: "support" }],
    });
    const other = await identity.memberOf(first);
    const second = await away({}, await of(other.token).sessions.beginOidcLink({}));
    await expect(sessions().finishOidc(second)).rejects.toMatchObject({ code: "oidc.linked_elsewhere" });
  });

  it("links no provider when the session that started the link has ended", async () => {
    const user = await identity.memberOf(first);
    const begun = await of(user.token).sessions.beginOidcLink({});
    await identity.operator.users.resetPassword({ email: user.email });
    const finished = sessions().finishOidc(await away({}, begun));
    await expect(finished).rejects.toMatchObject({ code: "oidc.request_unknown" });
    expect(await identity.store.identities.listOfUser(user.userId)).toEqual([]);
  });

  it("must have shown a factor recently, and can remove the link", async () => {
    const user = await identity.memberOf(first);
    await sessions().finishOidc(await away({}, await of(user.token).sessions.beginOidcLink({})));
    const { identities } = await of(user.token).factors.listFactors({});
    const identityId = identities[0]?.id ?? "";
    const stranger = await identity.memberOf(first);
    await expect(of(stranger.token).factors.unlinkIdentity({ identityId })).rejects.toMatchObject({
      code: "factor.unknown",
    });
    identity.time.pass(11 * MINUTE_MS);
    const required = { code: "auth.reauthentication_required" };
    await expect(of(user.token).sessions.beginOidcLink({})).rejects.toMatchObject(required);
    await expect(of(user.token).factors.unlinkIdentity({ identityId })).rejects.toMatchObject(required);
    const { token } = await of(user.token).sessions.reauthenticate({ password: PASSWORD });
    await of(token).factors.unlinkIdentity({ identityId });
    const entries = identity.db.collection("auditEntries").find({ "actor.name": user.email });
    const actions = (await entries.toArray()).map(({ action }) => action);
    expect(actions).toContain("factor.unlink_identity");
    await expect(signIn({ groups: [] })).rejects.toMatchObject({ code: "oidc.not_allowed" });
  });

  it("keeps the last sign-in method", async () => {
    const token = await signIn(staff());
    const { identities } = await of(token).factors.listFactors({});
    await expect(
      of(token).factors.unlinkIdentity({ identityId: identities[0]?.id ?? "" }),
    ).rejects.toMatchObject({ code: "factor.last" });
  });
});

describe("an answer of the provider", () => {
  const unknown = { code: "oidc.request_unknown" };

  it("returns to the requested page of the dashboard, and to no other site", async () => {
    const begun = await sessions().beginOidc({ returnTo: "/messages?state=failed" });
    expect(await sessions().finishOidc(await away(staff(), begun))).toMatchObject({
      returnTo: "/messages?state=failed",
    });
    expect(await sessions().finishOidc(await away(staff()))).toMatchObject({ returnTo: "" });
    for (const returnTo of ["//evil.example", "https://evil.example", "/\\evil.example", "/../../evil"])
      await expect(sessions().beginOidc({ returnTo })).rejects.toMatchObject({
        errors: [{ pointer: "/return_to" }],
      });
  });

  it("is valid for the browser that was sent there, once, and for ten minutes", async () => {
    const answer = await away(staff());
    const { browserToken: others } = await sessions().beginOidc({});
    await expect(sessions().finishOidc({ ...answer, browserToken: others })).rejects.toMatchObject(unknown);
    await expect(sessions().finishOidc(answer)).rejects.toMatchObject(unknown);
    const second = await away(staff());
    await sessions().finishOidc(second);
    await expect(sessions().finishOidc(second)).rejects.toMatchObject(unknown);
    const late = await away(staff());
    identity.time.pass(10 * MINUTE_MS);
    await expect(sessions().finishOidc(late)).rejects.toMatchObject(unknown);
    for (const query of ["", "state=x&code=y", "x".repeat(20_000)])
      await expect(sessions().finishOidc({ query, browserToken: others })).rejects.toMatchObject(unknown);
  });

  it.each([
    ["with another request's code", (query: string, other: string) => [query, other]],
    ["with an unknown code", (query: string) => [query, "code=made-up"]],
    ["with a refusal", (query: string) => [query, "error=access_denied"]],
  ])("%s is refused", async (_what, change) => {
    const others = await away(staff());
    const answer = await away(staff());
    const [query = "", from = ""] = change(answer.query, others.query);
    const forged = new URLSearchParams(query);
    forged.delete("code");
    const source = new URLSearchParams(from);
    for (const name of ["code", "error"]) if (source.has(name)) forged.set(name, source.get(name) ?? "");
    await expect(sessions().finishOidc({ ...answer, query: forged.toString() })).rejects.toMatchObject({
      code: "oidc.refused",
    });
  });

  it("of a user with a second factor here leads to that second factor", async () => {
    const token = await signIn(staff());
    const { secret } = await of(token).factors.beginTotp({});
    const { TOTP } = await import("otpauth");
    const codeNow = () => new TOTP({ secret }).generate({ timestamp: identity.time.clock.now().getTime() });
    await of(token).factors.confirmTotp({ code: codeNow() });
    identity.time.pass(30_000);
    const begun = await signIn(staff());
    expect(await of(begun).sessions.getSession({})).toMatchObject({ secondFactorRequired: true });
    const { token: complete } = await of(begun).sessions.showSecondFactor({ totpCode: codeNow() });
    expect(await of(complete).sessions.getSession({})).toMatchObject({ factors: ["oidc", "totp"] });
  });

  it("determines roles with a nested claim, and for every user with *", async () => {
    const roles = [
      { value: "boss", role: "admin" },
      { value: "*", role: "support" },
    ] as const;
    const other = await openIdentity({
      oidc: settings(provider.issuer, { roleClaim: "realm_access.roles", roles }),
    });
    await other.operator.accounts.createAccount({ name: "Acme" });
    const roleOf = async (claims: object) => {
      sub = `person-${count++}`;
      const begun = await other.as({}).sessions.beginOidc({});
      const answer = await away({ email: `${sub}@example.com`, email_verified: true, ...claims }, begun);
      const { sessionToken } = await other.as({}).sessions.finishOidc(answer);
      return (await other.as({ session: sessionToken }).sessions.getSession({})).memberships[0]?.role;
    };
    expect(await roleOf({ realm_access: { roles: ["boss"] } })).toBe("admin");
    expect(await roleOf({ realm_access: "boss" })).toBe("support");
    await other.close();
  });
});

describe("an unavailable provider", () => {
  it("does not stop sign-in with a password", async () => {
    const gone = await startProvider(REDIRECT_URI);
    await gone.close();
    const without = await openIdentity({ oidc: settings(gone.issuer) });
    const { account } = await without.operator.accounts.createAccount({ name: "Acme" });
    const user = await without.memberOf(account?.id ?? "");
    await expect(without.as({}).sessions.beginOidc({})).rejects.toMatchObject({ code: "oidc.unavailable" });
    await without.as({}).sessions.signIn({ email: user.email, password: PASSWORD });
    await without.close();
  });

  it("is asked again when it is available, and not by every caller before", async () => {
    let asked = 0;
    const broken = createServer((_request, response) => {
      asked++;
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo;
    const without = await openIdentity({ oidc: settings(`http://127.0.0.1:${port}`) });
    const begin = () =>
      without
        .as({})
        .sessions.beginOidc({})
        .catch(({ code }) => code);
    expect(await Promise.all([begin(), begin(), begin()])).toEqual(Array(3).fill("oidc.unavailable"));
    await begin();
    expect(asked).toBe(1);
    without.time.pass(5_000);
    await begin();
    expect(asked).toBe(2);
    broken.close();
    await without.close();
  });
});

it("returns the sign-in methods", async () => {
  expect(await sessions().getSignInOptions({})).toMatchObject({
    passkeys: true,
    oidcName: "Acme login",
    passwordReset: true,
    signUp: false,
  });
  const bare = await openIdentity({ hasMail: false, hasPasskeys: false, isSignUpOpen: true });
  expect(await bare.as({}).sessions.getSignInOptions({})).toMatchObject({
    passkeys: false,
    oidcName: "",
    passwordReset: false,
    signUp: false,
  });
  await expect(bare.as({}).sessions.beginOidc({})).rejects.toMatchObject({ code: "oidc.not_configured" });
  await bare.close();
});
