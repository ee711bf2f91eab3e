import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashSecret } from "../../src/shared/secrets.ts";
import { type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";

const MINUTE_MS = 60_000;
const next = "several uncommon words of mine";
const unknown = { code: "link.unknown" };

let identity: Identity;
let accountId: string;
let email: string;
let session: string;
let count = 0;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  ({ email, token: session } = await identity.memberOf(accountId));
});

const users = (client = {}) => identity.as(client).users;

async function request(address = email): Promise<unknown> {
  // Each test uses its own network.
  const answer = await users({ clientAddress: `198.51.100.${count++ % 250}` }).requestPasswordReset({
    email: address,
  });
  await identity.settled();
  return answer;
}

const complete = (token: string, newPassword = next) => users().completePasswordReset({ token, newPassword });
const signIn = (password: string) => identity.as({}).sessions.signIn({ email, password });

describe("a link to reset a password", () => {
  it("replaces the password, ends all sessions, and notifies the user", async () => {
    await request(` ${email.toUpperCase()}`);
    const token = identity.tokenTo(email);
    expect(identity.mails(email).at(-1)?.text).toContain(`https://mail.example.com/reset-password#${token}`);
    expect(await users().findPasswordReset({ token })).toMatchObject({ email });
    expect(await complete(token)).toMatchObject({ email });
    await expect(identity.as({ session }).sessions.getSession({})).rejects.toMatchObject({
      code: "auth.session_invalid",
    });
    await expect(signIn(PASSWORD)).rejects.toMatchObject({ code: "auth.credentials_invalid" });
    await signIn(next);
    const notice = identity.mails(email).at(-1);
    expect(notice?.text).toMatch(/^Your password was reset .* UTC, from 192\.0\.2\.1 \(test\)\./);
    expect(notice?.text).not.toContain(next);
  });

  it("works once, also when it is followed several times at once", async () => {
    await request();
    const token = identity.tokenTo(email);
    const outcomes = await Promise.allSettled([1, 2, 3].map((n) => complete(token, `${next} ${n}`)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(complete(token)).rejects.toMatchObject(unknown);
    await expect(users().findPasswordReset({ token })).rejects.toMatchObject(unknown);
  });

  it("replaces the former link, and expires after 30 minutes", async () => {
    await request();
    const former = identity.tokenTo(email);
    await request();
    const token = identity.tokenTo(email);
    await expect(complete(former)).rejects.toMatchObject(unknown);
    identity.time.pass(30 * MINUTE_MS);
    await expect(complete(token)).rejects.toMatchObject(unknown);
    await signIn(PASSWORD);
  });

  it("is invalid after the password was replaced in another way", async () => {
    await request();
    const token = identity.tokenTo(email);
    const change = { currentPassword: PASSWORD, newPassword: next };
    await identity.as({ session }).sessions.changePassword(change);
    expect(identity.mails(email).at(-1)?.text).toMatch(/^Your password was changed, /);
    await expect(complete(token)).rejects.toMatchObject(unknown);
    await request();
    const second = identity.tokenTo(email);
    await identity.operator.users.resetPassword({ email });
    await expect(complete(second)).rejects.toMatchObject(unknown);
  });

  it("rejects a password that is easily guessed, and then accepts a better one", async () => {
    await request();
    const token = identity.tokenTo(email);
    await expect(complete(token, "short")).rejects.toMatchObject({ errors: [{ pointer: "/new_password" }] });
    await complete(token);
  });

  it("is not stored with its token", async () => {
    await request();
    const token = identity.tokenTo(email);
    const stored = await identity.store.mailLinks.find(
      "password_reset",
      hashSecret(token),
      identity.time.clock.now(),
    );
    expect(stored).toMatchObject({ email });
    expect(JSON.stringify(stored)).not.toContain(token);
    await expect(users().completeSignUp({ token, password: next, accountName: "x" })).rejects.toMatchObject({
      code: "sign_up.closed",
    });
    for (const wrong of ["", token.slice(1), "x".repeat(10_000)])
      await expect(complete(wrong)).rejects.toMatchObject(unknown);
  });
});

describe("requesting a password reset", () => {
  it("has the same answer with and without a user for the address", async () => {
    expect(await request("nobody@example.com")).toEqual(await request());
    expect(identity.mails("nobody@example.com")).toEqual([]);
    expect(identity.mails(email)).toHaveLength(1);
  });

  it("is limited per mailbox, and the last link stays valid", async () => {
    for (let n = 0; n < 10; n++) await request();
    expect(identity.mails(email)).toHaveLength(3);
    await complete(identity.tokenTo(email));
  });

  it("is slowed down for a network that requests it for many addresses", async () => {
    const ask = (n: number) =>
      users({ clientAddress: "203.0.113.9" }).requestPasswordReset({ email: `n${n}@example.com` });
    const outcomes = [];
    for (let n = 0; n < 25; n++)
      outcomes.push(
        await ask(n).then(
          () => "asked",
          ({ code }) => code,
        ),
      );
    expect(outcomes.indexOf("mail.throttled")).toBe(20);
    expect(await request()).toBeDefined();
    expect(identity.mails(email)).toHaveLength(1);
  });

  it("requires an address", async () => {
    await expect(request("no address")).rejects.toMatchObject({ errors: [{ pointer: "/email" }] });
  });

  it("reports that no mail is configured", async () => {
    const silent = await openIdentity({ hasMail: false });
    for (const address of ["nobody@example.com", email])
      await expect(silent.as({}).users.requestPasswordReset({ email: address })).rejects.toMatchObject({
        code: "mail.not_configured",
      });
    await silent.close();
  });
});
