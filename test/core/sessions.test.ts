import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSignInThrottle } from "../../src/core/access/sign-in-throttle.ts";
import { hashSecret } from "../../src/shared/secrets.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const invalid = { code: "auth.session_invalid" };

let identity: Identity;
let accountId: string;
let count = 0;
/** Address of the test's own user. */
let email: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  email = `ada-${count++}@example.com`;
});

const signIn = (password: string, client = {}) => identity.as(client).sessions.signIn({ email, password });
const sessionOf = (session: string) => identity.as({ session }).sessions;

describe("signing in", () => {
  it("starts a session with its user and permissions", async () => {
    const { password } = await identity.signedIn(email, accountId, "support");
    const { token, session } = await signIn(password, { clientAgent: "Bröwser/1" });
    expect(session).toMatchObject({ clientAddress: "192.0.2.1", clientAgent: "Bröwser/1", current: true });
    const found = await sessionOf(token).getSession({});
    expect(found).toMatchObject({
      email,
      accountId,
      memberships: [{ accountId, accountName: "Acme", role: "support" }],
      mustChangePassword: false,
    });
    expect(found.permissions).toContain("messages.write");
    expect(found.permissions).not.toContain("keys.write");
  });

  it("accepts the address in any case, and the exact password", async () => {
    const { password } = await identity.signedIn(email, accountId);
    const { signIn: begin } = identity.as({}).sessions;
    await begin({ email: ` ${email.toUpperCase()}`, password });
    await expect(begin({ email, password: ` ${password}` })).rejects.toMatchObject({
      code: "auth.credentials_invalid",
    });
  });

  it("has the same answer for unknown addresses and wrong passwords", async () => {
    const { password } = await identity.signedIn(email, accountId);
    const refusals = await Promise.all(
      [
        { email, password: "wrong" },
        { email: "nobody@example.com", password },
        { email: "", password: "" },
        { email: "x".repeat(100_000), password },
      ].map((credentials) =>
        identity
          .as({})
          .sessions.signIn(credentials)
          .catch((refusal) => refusal),
      ),
    );
    expect(new Set(refusals.map(({ code, message }) => `${code}: ${message}`)).size).toBe(1);
    expect(refusals[0]).toMatchObject({ code: "auth.credentials_invalid" });
  });

  it("stores no token and no password", async () => {
    const first = await identity.operator.users.createUser({ email, accountId });
    const { token: former } = await signIn(first.password);
    const password = "eleven purple bicycles";
    const change = { currentPassword: first.password, newPassword: password };
    const { token } = await sessionOf(former).changePassword(change);
    const stored = await identity.store.sessions.findByHash(hashSecret(token));
    const user = await identity.store.users.findByEmail(email);
    const text = JSON.stringify([stored, user]);
    expect(text).not.toContain(token);
    expect(text).not.toContain(password);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$/);
  });

  it("makes the user of an early release the owner of its account", async () => {
    const { password } = await identity.signedIn("former@example.com", accountId);
    const user = await identity.store.users.findByEmail("former@example.com");
    await identity.store.forAccount(accountId).members.changeRole(user?._id ?? "", "owner", testAudit);
    const former = { ...user, _id: "usr_former", email, accountId } as never;
    const { members } = identity.store.forAccount("acc_none");
    await members.add(former, { role: "viewer", createdAt: new Date() }, testAudit);
    await members.remove("usr_former", testAudit);
    const { token } = await signIn(password);
    expect(await sessionOf(token).getSession({})).toMatchObject({
      accountId,
      memberships: [{ accountId, role: "owner" }],
    });
  });
});

describe("a session", () => {
  it("is invalid without its token", async () => {
    await expect(sessionOf("").getSession({})).rejects.toMatchObject({ code: "auth.session_missing" });
    for (const token of ["x", "x".repeat(10_000)])
      await expect(sessionOf(token).getSession({})).rejects.toMatchObject(invalid);
  });

  it("ends after 12 hours without use, and after 14 days in any case", async () => {
    const { password } = await identity.signedIn(email, accountId);
    const { token: idle } = await signIn(password);
    const { token: used } = await signIn(password);
    identity.time.pass(11 * HOUR_MS);
    await sessionOf(used).getSession({});
    identity.time.pass(2 * HOUR_MS);
    await expect(sessionOf(idle).getSession({})).rejects.toMatchObject(invalid);
    for (let passed = 13 * HOUR_MS; passed < 14 * DAY_MS; passed += 10 * HOUR_MS) {
      await sessionOf(used).getSession({});
      identity.time.pass(10 * HOUR_MS);
    }
    await expect(sessionOf(used).getSession({})).rejects.toMatchObject(invalid);
  });

  it("stores its latest use at most once a minute", async () => {
    const { token } = await identity.signedIn(email, accountId);
    const seen = async () => (await identity.store.sessions.findByHash(hashSecret(token)))?.seenAt;
    const before = await seen();
    identity.time.pass(MINUTE_MS - 1);
    await sessionOf(token).getSession({});
    expect(await seen()).toEqual(before);
    identity.time.pass(1);
    await sessionOf(token).getSession({});
    expect((await seen())?.getTime()).toBe((before?.getTime() ?? 0) + MINUTE_MS);
  });

  it("ends immediately when it is signed out, or ended from another one", async () => {
    const { token, password } = await identity.signedIn(email, accountId);
    // Ids of the same millisecond have no order.
    identity.time.pass(1);
    const others = [await signIn(password), await signIn(password), await signIn(password)];
    const [first, second, third] = others.map((one) => one.token) as [string, string, string];
    await sessionOf(first).signOut({});
    await expect(sessionOf(first).getSession({})).rejects.toMatchObject(invalid);
    await sessionOf(token).endSession({ sessionId: others[1]?.session?.id ?? "" });
    await expect(sessionOf(second).getSession({})).rejects.toMatchObject(invalid);
    const listed = await sessionOf(token).listSessions({});
    expect(listed.sessions.map(({ current }) => current)).toEqual([false, true]);
    expect(await sessionOf(token).endOtherSessions({})).toMatchObject({ ended: 1 });
    await expect(sessionOf(third).getSession({})).rejects.toMatchObject(invalid);
    await sessionOf(token).getSession({});
  });

  it("of another user cannot be ended, and is reported as unknown", async () => {
    const { token } = await identity.signedIn(email, accountId);
    const { token: bobs } = await identity.signedIn(`bob-${email}`, accountId);
    const { session } = await sessionOf(bobs).getSession({});
    const refused = sessionOf(token).endSession({ sessionId: session?.id ?? "" });
    await expect(refused).rejects.toMatchObject({ code: "session.unknown" });
    await sessionOf(bobs).getSession({});
  });

  it("switches to another account of its user, with a new token, and to no other account", async () => {
    const { token } = await identity.signedIn(email, accountId);
    identity.time.pass(1);
    const other = (await identity.operator.accounts.createAccount({ name: "Other" })).account?.id ?? "";
    const foreign = (await identity.operator.accounts.createAccount({ name: "Foreign" })).account?.id ?? "";
    expect(
      await identity.operator.users.createUser({ email, accountId: other, role: "viewer" }),
    ).toMatchObject({
      password: "",
    });
    await expect(sessionOf(token).switchAccount({ toAccountId: foreign })).rejects.toMatchObject({
      code: "account.unknown",
    });
    const { token: next } = await sessionOf(token).switchAccount({ toAccountId: other });
    await expect(sessionOf(token).getSession({})).rejects.toMatchObject(invalid);
    const found = await sessionOf(next).getSession({});
    expect(found).toMatchObject({ accountId: other });
    expect(found.permissions).not.toContain("members.write");
    expect(found.memberships.map(({ role }) => role)).toEqual(["owner", "viewer"]);
  });
});

describe("a password", () => {
  it("that the operator set must be replaced before any other operation", async () => {
    const { password } = await identity.operator.users.createUser({ email, accountId });
    const { token } = await signIn(password);
    expect(await sessionOf(token).getSession({})).toMatchObject({ mustChangePassword: true });
    const { accounts } = identity.as({ session: token });
    await expect(accounts.getAccount({})).rejects.toMatchObject({ code: "auth.password_change_required" });
    const change = { currentPassword: password, newPassword: "eleven purple bicycles" };
    const { token: next } = await sessionOf(token).changePassword(change);
    expect((await identity.as({ session: next }).accounts.getAccount({})).account).toMatchObject({
      id: accountId,
    });
  });

  it("is replaced by its owner, which ends every other session", async () => {
    const { token, password } = await identity.signedIn(email, accountId);
    const { token: other } = await signIn(password);
    const change = { currentPassword: password, newPassword: "eleven purple bicycles" };
    const { token: next } = await sessionOf(token).changePassword(change);
    for (const ended of [token, other])
      await expect(sessionOf(ended).getSession({})).rejects.toMatchObject(invalid);
    await sessionOf(next).getSession({});
    await expect(signIn(password)).rejects.toMatchObject({ code: "auth.credentials_invalid" });
    await signIn("eleven purple bicycles");
  });

  it.each([
    ["short", "password.too_short"],
    ["x".repeat(257), "field.too_long"],
    ["password1234", "password.guessable"],
    ["aaaaaaaaaaaaaaaa", "password.guessable"],
  ])("is not replaced by %.20s", async (newPassword, code) => {
    const { token, password } = await identity.signedIn(email, accountId);
    await expect(
      sessionOf(token).changePassword({ currentPassword: password, newPassword }),
    ).rejects.toMatchObject({ errors: [{ pointer: "/new_password", code }] });
    await signIn(password);
  });

  it("is evaluated only after the current one was right", async () => {
    const { token, password } = await identity.signedIn(email, accountId);
    const change = (currentPassword: string, newPassword: string) =>
      sessionOf(token)
        .changePassword({ currentPassword, newPassword })
        .catch(({ code }) => code);
    const hostile = "p4$$w0rD".repeat(32);
    for (let n = 0; n < 5; n++) expect(await change("wrong", hostile)).toBe("auth.credentials_invalid");
    expect(await change(password, hostile)).toBe("auth.throttled");
  });

  it("is evaluated ten times without a wait, then with increasing waits", async () => {
    const { token, password } = await identity.signedIn(email, accountId);
    const change = () =>
      sessionOf(token)
        .changePassword({ currentPassword: password, newPassword: "short" })
        .catch(({ code }) => code);
    const answers: string[] = [];
    for (let n = 0; n < 11; n++) answers.push(await change());
    expect(answers).toEqual([...Array(10).fill("request.validation_failed"), "auth.throttled"]);
  });

  it("that the operator resets ends all sessions, and must be replaced", async () => {
    const { token, password } = await identity.signedIn(email, accountId);
    const reset = await identity.operator.users.resetPassword({ email: email.toUpperCase() });
    expect(reset).toMatchObject({ ended: 1, user: { email, mustChangePassword: true } });
    await expect(sessionOf(token).getSession({})).rejects.toMatchObject(invalid);
    await expect(signIn(password)).rejects.toMatchObject({ code: "auth.credentials_invalid" });
    expect(await sessionOf((await signIn(reset.password)).token).getSession({})).toMatchObject({
      mustChangePassword: true,
    });
  });

  it("is entered again for dangerous operations, with a new token", async () => {
    const { token, password } = await identity.signedIn(email, accountId);
    identity.time.pass(10 * MINUTE_MS);
    await expect(sessionOf(token).endOtherSessions({})).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
    await expect(sessionOf(token).reauthenticate({ password: "wrong" })).rejects.toMatchObject({
      code: "auth.credentials_invalid",
    });
    const { token: next } = await sessionOf(token).reauthenticate({ password });
    await sessionOf(next).endOtherSessions({});
    await expect(sessionOf(token).getSession({})).rejects.toMatchObject(invalid);
  });
});

describe("a client that guesses", () => {
  const guess = (client = {}, victim = email) =>
    identity
      .as(client)
      .sessions.signIn({ email: victim, password: "wrong" })
      .catch(({ code }) => code);

  it("waits longer and longer, and does not delay others", async () => {
    const { password } = await identity.signedIn(email, accountId);
    const stranger = { clientAddress: "198.51.100.7" };
    const answers: string[] = [];
    for (let n = 0; n < 6; n++) answers.push(await guess(stranger));
    expect(answers).toEqual([...Array(5).fill("auth.credentials_invalid"), "auth.throttled"]);
    await expect(signIn(password, stranger)).rejects.toMatchObject({
      code: "auth.throttled",
      retryAfterSeconds: 1,
    });
    await signIn(password);
    identity.time.pass(1_000);
    expect(await guess(stranger)).toBe("auth.credentials_invalid");
    await expect(signIn(password, stranger)).rejects.toMatchObject({ retryAfterSeconds: 2 });
    identity.time.pass(2_000);
    await signIn(password, stranger);
    expect(await guess(stranger)).toBe("auth.credentials_invalid");
  });

  it("gets no more attempts with parallel requests", async () => {
    await identity.signedIn(email, accountId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => guess({ clientAddress: "198.51.100.8" })),
    );
    expect(answers.filter((code) => code === "auth.credentials_invalid")).toHaveLength(5);
  });

  it("is distinguished from the users of a large office with right passwords", async () => {
    const { signInFailures: failures } = identity.store;
    const throttle = createSignInThrottle({ failures, clock: identity.time.clock });
    for (let n = 0; n < 150; n++) {
      const attempt = { email: `worker-${n}@example.com`, clientAddress: "198.51.100.9" };
      await throttle.begin(attempt);
      await throttle.succeeded(attempt);
    }
    expect(await guess({ clientAddress: "198.51.100.9" })).toBe("auth.credentials_invalid");
  });

  it("counts as one network for all addresses of its /64, and for all users", async () => {
    const { signInFailures: failures } = identity.store;
    const throttle = createSignInThrottle({ failures, clock: identity.time.clock });
    for (let n = 0; n < 100; n++) {
      const clientAddress = `2001:db8:1:2::${n.toString(16)}`;
      const victim = `victim-${n}@example.com`;
      // Each comparison costs 30 ms of a core, so most attempts are counted without one.
      if (n % 20 !== 0) await throttle.begin({ email: victim, clientAddress });
      else await expect(guess({ clientAddress }, victim)).resolves.toBe("auth.credentials_invalid");
    }
    expect(await guess({ clientAddress: "2001:db8:1:2:ffff::1" })).toBe("auth.throttled");
    expect(await guess({ clientAddress: "2001:db8:1:3::1" })).toBe("auth.credentials_invalid");
  });
});
