import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";

const HOUR_MS = 60 * 60_000;
/** A factor that was shown this long ago must be shown again. */
const STALE_MS = 11 * 60_000;
const unknown = { code: "link.unknown" };

let identity: Identity;
let accountId: string;
let next: string;
let count = 0;

beforeAll(async () => {
  identity = await openIdentity({ isSignUpOpen: true });
  accountId = await identity.openAccount();
});
afterAll(() => identity.close());
beforeEach(() => {
  count += 1;
  next = `next-${count}@example.com`;
});

/** Each test has its own network, because mail is throttled by network. */
const as = (session: string) => identity.as({ session, clientAddress: `198.51.100.${count}` });
const strangers = () => identity.as({ clientAddress: `198.51.100.${count}` });

async function request(token: string, email = next): Promise<unknown> {
  const answer = await as(token).users.requestEmailChange({ email });
  await identity.settled();
  return answer;
}

describe("changing one's own address", () => {
  it("changes nothing before the new address confirms it, and notifies the former one twice", async () => {
    const { token, email: former, userId } = await identity.memberOf(accountId);
    await request(token, ` ${next.toUpperCase()} `);
    expect(await as(token).sessions.getSession({})).toMatchObject({ email: former });
    expect(identity.mails(former).at(-1)?.text).toContain(`to ${next} was requested`);
    const link = identity.tokenTo(next);
    expect(identity.mails(next)[0]?.text).toContain(`https://mail.example.com/change-email#${link}`);
    expect(await strangers().users.findEmailChange({ token: link })).toMatchObject({ email: next });
    expect(await strangers().users.confirmEmailChange({ token: link })).toMatchObject({ email: next });
    expect(await as(token).sessions.getSession({})).toMatchObject({ email: next, userId });
    expect(identity.mails(former).at(-1)?.text).toContain(`changed from ${former} to ${next}`);
    await strangers().sessions.signIn({ email: next, password: PASSWORD });
    await expect(strangers().sessions.signIn({ email: former, password: PASSWORD })).rejects.toMatchObject({
      code: "auth.credentials_invalid",
    });
    await expect(strangers().users.confirmEmailChange({ token: link })).rejects.toMatchObject(unknown);
  });

  it("has the same answer for the address of another user, and only that mailbox learns it", async () => {
    const { token, email } = await identity.memberOf(accountId);
    const other = await identity.memberOf(accountId);
    expect(await request(token, other.email)).toEqual(await request(token));
    expect(identity.mails(other.email).at(-1)?.text).toContain("already has a user");
    expect(identity.tokenTo(other.email)).toBe("");
    expect(await as(token).sessions.getSession({})).toMatchObject({ email });
  });

  it("refuses an address that another user has registered since", async () => {
    const { token, email } = await identity.memberOf(accountId);
    await request(token);
    await identity.operator.users.createUser({ email: next, accountId, role: "viewer" });
    const link = identity.tokenTo(next);
    await expect(strangers().users.confirmEmailChange({ token: link })).rejects.toMatchObject({
      code: "user.exists",
    });
    expect(await as(token).sessions.getSession({})).toMatchObject({ email });
  });

  it.each([
    [
      "ends because the user signs out everywhere else",
      (token: string) => as(token).sessions.endOtherSessions({}),
    ],
    [
      "ends because of a new password",
      (token: string) =>
        as(token).sessions.changePassword({
          currentPassword: PASSWORD,
          newPassword: "other uncommon words",
        }),
    ],
  ])("is invalid after the session that requested it %s", async (_, end) => {
    const { token, userId, email } = await identity.memberOf(accountId);
    const thief = await identity.openSession({ _id: userId, email }, accountId);
    await request(thief);
    await end(token);
    const link = identity.tokenTo(next);
    await expect(strangers().users.confirmEmailChange({ token: link })).rejects.toMatchObject(unknown);
    expect(await identity.store.users.findById(userId)).toMatchObject({ email });
  });

  it("invalidates a password reset link of the former address, because another user may get that address", async () => {
    const { token, email: former } = await identity.memberOf(accountId);
    await strangers().users.requestPasswordReset({ email: former });
    await identity.settled();
    const reset = identity.tokenTo(former);
    await request(token);
    await strangers().users.confirmEmailChange({ token: identity.tokenTo(next) });
    await identity.operator.users.createUser({ email: former, accountId, role: "viewer" });
    const completion = { token: reset, newPassword: "other uncommon words" };
    await expect(strangers().users.completePasswordReset(completion)).rejects.toMatchObject(unknown);
  });

  it("has one valid link, for an hour", async () => {
    const { token, email } = await identity.memberOf(accountId);
    await request(token);
    const former = identity.tokenTo(next);
    await request(token);
    const link = identity.tokenTo(next);
    await expect(strangers().users.confirmEmailChange({ token: former })).rejects.toMatchObject(unknown);
    identity.time.pass(HOUR_MS);
    await expect(strangers().users.confirmEmailChange({ token: link })).rejects.toMatchObject(unknown);
    expect(await as(token).sessions.getSession({})).toMatchObject({ email });
  });

  it("requires a factor that was shown recently, and a different address", async () => {
    const { token, email } = await identity.memberOf(accountId);
    await expect(request(token, email)).rejects.toMatchObject({ errors: [{ pointer: "/email" }] });
    await expect(request(token, "no address")).rejects.toMatchObject({ errors: [{ pointer: "/email" }] });
    identity.time.pass(STALE_MS);
    await expect(request(token)).rejects.toMatchObject({ code: "auth.reauthentication_required" });
  });
});

describe("leaving an account", () => {
  it("ends the membership immediately, and the session continues in another account of the user", async () => {
    const other = await identity.openAccount();
    await identity.memberOf(other);
    const { token, email, userId } = await identity.memberOf(accountId);
    const second = await identity.openSession({ _id: userId, email }, accountId);
    await identity.operator.users.createUser({ email, accountId: other, role: "viewer" });
    await identity.memberOf(accountId);
    const { sessionToken } = await as(token).users.leaveAccount({ leftAccountId: accountId });
    expect(await as(sessionToken).sessions.getSession({})).toMatchObject({
      accountId: other,
      memberships: [{ accountId: other, role: "viewer" }],
    });
    await expect(as(second).members.listMembers({})).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
  });

  it("is refused to the last owner, also when several leave at once, and for another account", async () => {
    const own = await identity.openAccount();
    const owners = [await identity.memberOf(own), await identity.memberOf(own)];
    const outcomes = await Promise.allSettled(
      owners.map(({ token }) => as(token).users.leaveAccount({ leftAccountId: own })),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject([{ reason: { code: "member.last_owner" } }]);
    const { token } = await identity.memberOf(accountId);
    for (const leftAccountId of [own, "", "acc_nothing"])
      await expect(as(token).users.leaveAccount({ leftAccountId })).rejects.toMatchObject({
        code: "account.unknown",
      });
    identity.time.pass(STALE_MS);
    await expect(as(token).users.leaveAccount({ leftAccountId: accountId })).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
  });
});

describe("creating another account", () => {
  it("makes the user its owner, captures its mail, and does not change the session's account", async () => {
    const { token } = await identity.memberOf(accountId, "viewer");
    const { accountId: own } = await as(token).users.createOwnAccount({ name: " Aside " });
    const session = await as(token).sessions.getSession({});
    expect(session.accountId).toBe(accountId);
    expect(session.memberships).toContainEqual(
      expect.objectContaining({ accountId: own, accountName: "Aside", role: "owner" }),
    );
    expect(await identity.store.forAccount(own).policies.findDefault()).toMatchObject({
      transports: [{ kind: "sandbox" }],
    });
    await expect(as(token).users.createOwnAccount({ name: " " })).rejects.toMatchObject({
      errors: [{ pointer: "/name" }],
    });
  });

  it("is limited to 20 accounts per owner, also with parallel requests", async () => {
    const { token, userId } = await identity.memberOf(accountId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, () => as(token).users.createOwnAccount({ name: "Aside" })),
    );
    const refused = outcomes.filter((one) => one.status === "rejected");
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(6).fill("account.too_many"));
    expect(await identity.store.acrossAccounts.members.ofUser(userId)).toHaveLength(20);
  });

  it("is refused if sign-up is closed", async () => {
    const closed = await openIdentity();
    const { token } = await closed.memberOf(await closed.openAccount());
    await expect(
      closed.as({ session: token }).users.createOwnAccount({ name: "Aside" }),
    ).rejects.toMatchObject({ code: "sign_up.closed" });
    await closed.close();
  });
});
