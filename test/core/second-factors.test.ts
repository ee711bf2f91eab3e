import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const invalid = { code: "auth.factor_invalid" };

let identity: Identity;
let accountId: string;
/** Of a user of the test's own. */
let email: string;
let userId: string;
let session: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  ({ email, userId, token: session } = await identity.memberOf(accountId));
});

const of = (token: string) => identity.as({ session: token });
const signIn = (client = {}) => identity.as(client).sessions.signIn({ email, password: PASSWORD });

/** What the app shows now. */
function codeOf(secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: identity.time.clock.now().getTime() });
}

/** Sets an app up, and lets its code become an old one. */
async function enrol(token = session) {
  const { secret } = await of(token).factors.beginTotp({});
  const { sessionToken, recoveryCodes } = await of(token).factors.confirmTotp({ code: codeOf(secret) });
  identity.time.pass(30 * SECOND_MS);
  return { secret, session: sessionToken, recoveryCodes };
}

describe("an authenticator app", () => {
  it("counts once a code has confirmed it, and is told of by mail", async () => {
    const { secret, url } = await of(session).factors.beginTotp({});
    expect(url).toContain(secret);
    expect((await signIn()).session).toBeDefined();
    expect(await of(session).factors.listFactors({})).toMatchObject({ recoveryCodesLeft: 0 });
    await expect(of(session).factors.confirmTotp({ code: "000000" })).rejects.toMatchObject({
      errors: [{ pointer: "/code" }],
    });
    const { sessionToken, recoveryCodes } = await of(session).factors.confirmTotp({ code: codeOf(secret) });
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    const listed = await of(sessionToken).factors.listFactors({});
    expect(listed).toMatchObject({ recoveryCodesLeft: 10, totpConfirmedAt: expect.anything() });
    expect(identity.mails(email).at(-1)?.text).toContain("An authenticator app was added");
    await expect(of(session).sessions.getSession({})).rejects.toMatchObject({ code: "auth.session_invalid" });
    await expect(of(sessionToken).factors.beginTotp({})).rejects.toMatchObject({ code: "factor.exists" });
  });

  it("that nobody confirms is forgotten after half an hour", async () => {
    const { secret } = await of(session).factors.beginTotp({});
    identity.time.pass(30 * MINUTE_MS);
    const { token } = await of(session).sessions.reauthenticate({ password: PASSWORD });
    await expect(of(token).factors.confirmTotp({ code: codeOf(secret) })).rejects.toMatchObject({
      code: "factor.unknown",
    });
  });

  it("is not stored in clear, nor are recovery codes", async () => {
    const { secret, recoveryCodes } = await enrol();
    const stored = await identity.everything();
    expect(stored).not.toContain(secret);
    for (const code of recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll("-", ""));
    }
    expect((await identity.store.factors.findTotp(userId))?.secret).toBe(secret);
  });
});

describe("signing in with one", () => {
  it("begins a session that is good for nothing but showing it", async () => {
    const { secret } = await enrol();
    const { token } = await signIn();
    const waiting = of(token);
    expect(await waiting.sessions.getSession({})).toMatchObject({
      email,
      secondFactorRequired: true,
      secondFactors: ["totp", "recovery_code"],
      accountId: "",
      memberships: [],
      permissions: [],
    });
    const required = { code: "auth.second_factor_required" };
    const outcomes = await Promise.allSettled([
      waiting.members.listMembers({}),
      waiting.factors.listFactors({}),
      waiting.factors.beginTotp({}),
      waiting.sessions.listSessions({}),
      waiting.sessions.switchAccount({ toAccountId: accountId }),
      waiting.sessions.changePassword({ currentPassword: PASSWORD, newPassword: "x" }),
      waiting.sessions.reauthenticate({ password: PASSWORD }),
      waiting.invitations.joinAccount({ token: "x" }),
      waiting.sessions.checkSession({}),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: required });
    await waiting.sessions.checkSession({ beforeSecondFactor: true });

    const { token: complete } = await waiting.sessions.showSecondFactor({ totpCode: codeOf(secret) });
    await expect(waiting.sessions.getSession({})).rejects.toMatchObject({ code: "auth.session_invalid" });
    expect(await of(complete).sessions.getSession({})).toMatchObject({
      secondFactorRequired: false,
      accountId,
      factors: ["password", "totp"],
    });
    await of(complete).members.listMembers({});
    identity.time.pass(20 * MINUTE_MS);
    await of(complete).members.listMembers({});
    await expect(of(complete).sessions.showSecondFactor({ totpCode: codeOf(secret) })).rejects.toMatchObject({
      code: "session.complete",
    });
  });

  it("has ten minutes for that, however often it is looked at", async () => {
    const { secret } = await enrol();
    const { token } = await signIn();
    for (let n = 0; n < 9; n++) {
      identity.time.pass(MINUTE_MS);
      await of(token).sessions.getSession({});
    }
    identity.time.pass(MINUTE_MS);
    await expect(of(token).sessions.showSecondFactor({ totpCode: codeOf(secret) })).rejects.toMatchObject({
      code: "auth.session_invalid",
    });
  });

  it("takes each code once, also from several sessions at the same time", async () => {
    const { secret } = await enrol();
    const tokens = await Promise.all([1, 2, 3].map(async () => (await signIn()).token));
    const totpCode = codeOf(secret);
    const shown = await Promise.allSettled(
      tokens.map((token) => of(token).sessions.showSecondFactor({ totpCode })),
    );
    expect(shown.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const left = shown.findIndex(({ status }) => status === "rejected");
    const { sessions } = of(tokens[left] ?? "");
    await expect(sessions.showSecondFactor({ totpCode })).rejects.toMatchObject(invalid);
    identity.time.pass(30 * SECOND_MS);
    await sessions.showSecondFactor({ totpCode: codeOf(secret) });
  });

  it("takes no code of before the one that was used last", async () => {
    const { secret } = await enrol();
    const former = codeOf(secret);
    identity.time.pass(30 * SECOND_MS);
    const next = codeOf(secret);
    await of((await signIn()).token).sessions.showSecondFactor({ totpCode: next });
    const { sessions } = of((await signIn()).token);
    await expect(sessions.showSecondFactor({ totpCode: former })).rejects.toMatchObject(invalid);
  });

  it("takes each recovery code once, however it is typed", async () => {
    const { recoveryCodes, session: own } = await enrol();
    const [code = "", other = ""] = recoveryCodes;
    const typed = code.toUpperCase().replaceAll("-", " ");
    const { sessions } = of((await signIn()).token);
    const { token } = await sessions.showSecondFactor({ recoveryCode: typed });
    expect(await of(token).factors.listFactors({})).toMatchObject({ recoveryCodesLeft: 9 });
    const again = of((await signIn()).token).sessions;
    await expect(again.showSecondFactor({ recoveryCode: code })).rejects.toMatchObject(invalid);
    const { recoveryCodes: renewed } = await of(own).factors.renewRecoveryCodes({});
    expect(identity.mails(email).at(-1)?.text).toContain("New recovery codes were created");
    await expect(again.showSecondFactor({ recoveryCode: other })).rejects.toMatchObject(invalid);
    await again.showSecondFactor({ recoveryCode: renewed[0] ?? "" });
  });

  it("wants one of them", async () => {
    await enrol();
    const { sessions } = of((await signIn()).token);
    await expect(sessions.showSecondFactor({})).rejects.toMatchObject({
      errors: [{ code: "field.required" }],
    });
    await expect(sessions.showSecondFactor({ totpCode: "1", recoveryCode: "2" })).rejects.toMatchObject({
      errors: [{ code: "field.conflict" }],
    });
  });

  it("is asked of who has replaced the password by mail, too", async () => {
    const { secret } = await enrol();
    await identity.as({}).users.requestPasswordReset({ email });
    await identity.settled();
    const newPassword = "several uncommon words of mine";
    await identity.as({}).users.completePasswordReset({ token: identity.tokenTo(email), newPassword });
    const { token } = await identity.as({}).sessions.signIn({ email, password: newPassword });
    await expect(of(token).members.listMembers({})).rejects.toMatchObject({
      code: "auth.second_factor_required",
    });
    await of(token).sessions.showSecondFactor({ totpCode: codeOf(secret) });
  });
});

describe("who guesses codes", () => {
  const wrong = (token: string, clientAddress: string) =>
    identity
      .as({ session: token, clientAddress })
      .sessions.showSecondFactor({ totpCode: "000000" })
      .catch(({ code }) => code);

  it("waits, and cannot begin anew with the password that he knows", async () => {
    await enrol();
    const outcomes: unknown[] = [];
    for (let n = 0; n < 4; n++) {
      const begun = await signIn({ clientAddress: "203.0.113.1" }).catch(({ code }) => code);
      outcomes.push(typeof begun === "string" ? begun : await wrong(begun.token, "203.0.113.1"));
    }
    expect(outcomes).toEqual([
      "auth.factor_invalid",
      "auth.factor_invalid",
      "auth.throttled",
      "auth.throttled",
    ]);
  });

  it("waits from many networks, too", async () => {
    await enrol();
    const { token } = await signIn();
    const outcomes = [];
    for (let n = 0; n < 25; n++) outcomes.push(await wrong(token, `203.0.113.${n + 10}`));
    expect(outcomes.indexOf("auth.throttled")).toBe(20);
  });
});

describe("taking an app away", () => {
  it("wants a factor that was shown lately, ends other sessions, and is told of by mail", async () => {
    const { session: own } = await enrol();
    const { token: other } = await identity.as({}).sessions.signIn({ email, password: PASSWORD });
    identity.time.pass(11 * MINUTE_MS);
    const required = { code: "auth.reauthentication_required" };
    await expect(of(own).factors.removeTotp({})).rejects.toMatchObject(required);
    await expect(of(own).factors.renewRecoveryCodes({})).rejects.toMatchObject(required);
    const { token } = await of(own).sessions.reauthenticate({ password: PASSWORD });
    const { sessionToken } = await of(token).factors.removeTotp({});
    expect(identity.mails(email).at(-1)?.text).toContain("The authenticator app was removed");
    await expect(of(other).sessions.getSession({})).rejects.toMatchObject({ code: "auth.session_invalid" });
    expect(await of(sessionToken).sessions.getSession({})).toMatchObject({
      factors: ["password"],
      secondFactors: [],
    });
    expect(await of(sessionToken).factors.listFactors({})).toMatchObject({ recoveryCodesLeft: 0 });
    const missing = { code: "factor.unknown" };
    await expect(of(sessionToken).factors.removeTotp({})).rejects.toMatchObject(missing);
    await expect(of(sessionToken).factors.renewRecoveryCodes({})).rejects.toMatchObject(missing);
    expect((await of((await signIn()).token).sessions.getSession({})).secondFactorRequired).toBe(false);
  });

  it("is the operator's help for who has lost everything", async () => {
    const { session: own } = await enrol();
    expect(await identity.operator.users.removeFactors({ email })).toMatchObject({
      ended: 1,
      user: { email },
    });
    await expect(of(own).sessions.getSession({})).rejects.toMatchObject({ code: "auth.session_invalid" });
    expect((await of((await signIn()).token).sessions.getSession({})).secondFactorRequired).toBe(false);
    await expect(
      identity.operator.users.removeFactors({ email: "nobody@example.com" }),
    ).rejects.toMatchObject({
      code: "user.unknown",
    });
  });
});

describe("a factor that is shown again", () => {
  it("is any that the user has", async () => {
    const { secret, recoveryCodes, session: own } = await enrol();
    identity.time.pass(11 * MINUTE_MS);
    const { token } = await of(own).sessions.reauthenticate({ totpCode: codeOf(secret) });
    await of(token).sessions.endOtherSessions({});
    identity.time.pass(11 * MINUTE_MS);
    await expect(of(token).sessions.reauthenticate({ totpCode: "000000" })).rejects.toMatchObject(invalid);
    const again = await of(token).sessions.reauthenticate({ recoveryCode: recoveryCodes[0] ?? "" });
    await of(again.token).sessions.endOtherSessions({});
  });

  it("is none that somebody else has", async () => {
    const { secret } = await enrol();
    const stranger = await identity.memberOf(accountId);
    const { sessions } = of(stranger.token);
    await expect(sessions.reauthenticate({ totpCode: codeOf(secret) })).rejects.toMatchObject(invalid);
  });
});

describe("an account that wants a second factor", () => {
  it("allows who has none nothing but setting one up", async () => {
    const viewer = await identity.memberOf(accountId, "viewer");
    const other = await identity.operator.accounts.createAccount({ name: "Other" });
    await expect(of(session).accounts.requireSecondFactor({ required: true })).rejects.toMatchObject({
      code: "auth.second_factor_missing",
    });
    const { session: own, secret } = await enrol();
    expect(await of(own).accounts.requireSecondFactor({ required: true })).toMatchObject({
      account: { requiresSecondFactor: true },
    });
    await of(own).members.listMembers({});
    const missing = { code: "auth.second_factor_missing" };
    await expect(of(viewer.token).members.listMembers({})).rejects.toMatchObject(missing);
    expect(await of(viewer.token).sessions.getSession({})).toMatchObject({ secondFactorMissing: true });
    const enrolled = await enrol(viewer.token);
    await of(enrolled.session).members.listMembers({});
    expect(await of(enrolled.session).sessions.getSession({})).toMatchObject({ secondFactorMissing: false });

    const { sessionToken } = await of(enrolled.session).factors.removeTotp({});
    await expect(of(sessionToken).members.listMembers({})).rejects.toMatchObject(missing);
    expect(other.account?.requiresSecondFactor).toBe(false);
    await expect(of(sessionToken).accounts.requireSecondFactor({ required: false })).rejects.toBeDefined();
    identity.time.pass(30 * SECOND_MS);
    const { token } = await of(own).sessions.reauthenticate({ totpCode: codeOf(secret) });
    await of(token).accounts.requireSecondFactor({ required: false });
    await of(sessionToken).members.listMembers({});
  });
});
