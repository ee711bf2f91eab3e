import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashSecret } from "../../src/shared/secrets.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const DAY_MS = 24 * 60 * 60_000;
const password = "several uncommon words of mine";
const unknown = { code: "invitation.unknown" };

let identity: Identity;
let accountId: string;
let count = 0;
let email: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount("Acme");
  email = `guest-${count++}@example.com`;
});

async function member(role: string, of = accountId) {
  const address = `${role}-${count++}@example.com`;
  const { token } = await identity.signedIn(address, of, role);
  return { email: address, session: token, ...identity.as({ session: token }) };
}

const invitations = () => identity.as({}).invitations;
const find = (token: string) => invitations().findInvitation({ token });
const accept = (token: string) => invitations().acceptInvitation({ token, password });

describe("an invitation", () => {
  it("lets a new user join, who chooses a password and is signed in", async () => {
    const owner = await member("owner");
    const { invitation } = await owner.invitations.createInvitation({
      email: ` ${email.toUpperCase()}`,
      role: "support",
    });
    expect(invitation).toMatchObject({ email, role: "support", invitedBy: owner.email });
    const [mail] = identity.mails(email);
    expect(mail?.text).toContain(
      `${owner.email} invites you to join the account "Acme" of Hermod as support.`,
    );
    expect(mail?.text).toContain("https://mail.example.com/invitation#");
    const token = identity.tokenTo(email);
    expect(await find(token)).toMatchObject({
      accountId,
      accountName: "Acme",
      hasUser: false,
      invitation: { email },
    });

    const { sessionToken } = await accept(token);
    expect(await identity.as({ session: sessionToken }).sessions.getSession({})).toMatchObject({
      email,
      accountId,
      memberships: [{ accountId, role: "support" }],
      mustChangePassword: false,
    });
    await identity.as({}).sessions.signIn({ email, password });
    expect((await owner.invitations.listInvitations({})).invitations).toEqual([]);
  });

  it("works once, also when it is followed several times at once", async () => {
    const owner = await member("owner");
    await owner.invitations.createInvitation({ email, role: "viewer" });
    const token = identity.tokenTo(email);
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => accept(token)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(accept(token)).rejects.toMatchObject(unknown);
    await expect(find(token)).rejects.toMatchObject(unknown);
  });

  it("lets an existing user join after signing in with that address", async () => {
    const guest = await member("viewer", await identity.openAccount("Other"));
    const stranger = await member("viewer");
    const owner = await member("owner");
    await owner.invitations.createInvitation({ email: guest.email, role: "developer" });
    const token = identity.tokenTo(guest.email);
    expect(await find(token)).toMatchObject({ hasUser: true });
    await expect(accept(token)).rejects.toMatchObject({ code: "invitation.user_exists" });
    await expect(stranger.invitations.joinAccount({ token })).rejects.toMatchObject({
      code: "invitation.other_address",
      message: expect.stringContaining(guest.email),
    });
    await expect(invitations().joinAccount({ token })).rejects.toMatchObject({
      code: "auth.session_missing",
    });
    expect(await guest.invitations.joinAccount({ token })).toEqual(expect.objectContaining({ accountId }));
    const { memberships } = await guest.sessions.getSession({});
    expect(memberships.map(({ accountId: id, role }) => [id, role])).toContainEqual([accountId, "developer"]);
    await expect(guest.invitations.joinAccount({ token })).rejects.toMatchObject(unknown);
  });

  it("expires after seven days, and can then be created again", async () => {
    const owner = await member("owner");
    await identity.operator.invitations.createInvitation({ accountId, email, role: "viewer" });
    const token = identity.tokenTo(email);
    identity.time.pass(7 * DAY_MS);
    await expect(accept(token)).rejects.toMatchObject(unknown);
    await expect(find(token)).rejects.toMatchObject(unknown);
    const { token: session } = await identity.as({}).sessions.signIn({
      email: owner.email,
      password: `uncommon words of ${owner.email}`,
    });
    const again = identity.as({ session }).invitations;
    expect((await again.listInvitations({})).invitations).toEqual([]);
    await again.createInvitation({ email, role: "viewer" });
    await accept(identity.tokenTo(email));
  });

  it("that is sent again has another link; the former one is invalid", async () => {
    const owner = await member("owner");
    const { invitation } = await owner.invitations.createInvitation({ email, role: "viewer" });
    const former = identity.tokenTo(email);
    await owner.invitations.resendInvitation({ invitationId: invitation?.id ?? "" });
    expect(identity.mails(email)).toHaveLength(2);
    await expect(find(former)).rejects.toMatchObject(unknown);
    await accept(identity.tokenTo(email));
  });

  it("that is revoked is invalid", async () => {
    const owner = await member("owner");
    const { invitation } = await owner.invitations.createInvitation({ email, role: "viewer" });
    const of = { invitationId: invitation?.id ?? "" };
    const other = await member("owner", await identity.openAccount("Other"));
    await expect(other.invitations.revokeInvitation(of)).rejects.toMatchObject(unknown);
    await expect(other.invitations.resendInvitation(of)).rejects.toMatchObject(unknown);
    await owner.invitations.revokeInvitation(of);
    await expect(accept(identity.tokenTo(email))).rejects.toMatchObject(unknown);
    await expect(owner.invitations.revokeInvitation(of)).rejects.toMatchObject(unknown);
  });

  it("is invalid after its inviter has left or lost the permission", async () => {
    const owner = await member("owner");
    const [left, demoted] = [await member("admin"), await member("admin")];
    const second = `second-${email}`;
    await left.invitations.createInvitation({ email, role: "admin" });
    await demoted.invitations.createInvitation({ email: second, role: "admin" });
    await owner.members.removeMember({ user: left.email });
    await owner.members.changeRole({ user: demoted.email, role: "developer" });
    for (const address of [email, second])
      await expect(accept(identity.tokenTo(address))).rejects.toMatchObject(unknown);
  });

  it("is not stored with its token, and is not a session", async () => {
    await identity.operator.invitations.createInvitation({ accountId, email, role: "viewer" });
    const token = identity.tokenTo(email);
    const stored = await identity.store.acrossAccounts.invitations.findByHash(hashSecret(token));
    expect(JSON.stringify(stored)).not.toContain(token);
    await expect(identity.as({ session: token }).sessions.getSession({})).rejects.toMatchObject({
      code: "auth.session_invalid",
    });
    for (const wrong of ["", token.slice(1), "x".repeat(10_000)])
      await expect(find(wrong)).rejects.toMatchObject(unknown);
  });
});

describe("an invitation is refused", () => {
  it("with a role above the inviter's own, or without the permission", async () => {
    const [admin, developer] = [await member("admin"), await member("developer")];
    await expect(admin.invitations.createInvitation({ email, role: "owner" })).rejects.toMatchObject({
      code: "member.grant_exceeded",
    });
    const missing = { code: "auth.permission_missing" };
    await expect(developer.invitations.createInvitation({ email, role: "viewer" })).rejects.toMatchObject(
      missing,
    );
    expect((await developer.invitations.listInvitations({})).invitations).toEqual([]);
    const owner = await member("owner");
    const { invitation } = await owner.invitations.createInvitation({ email, role: "owner" });
    const of = { invitationId: invitation?.id ?? "" };
    const exceeded = { code: "member.grant_exceeded" };
    await expect(admin.invitations.resendInvitation(of)).rejects.toMatchObject(exceeded);
    await expect(admin.invitations.revokeInvitation(of)).rejects.toMatchObject(exceeded);
    identity.time.pass(11 * 60_000);
    await expect(
      owner.invitations.createInvitation({ email: `b-${email}`, role: "owner" }),
    ).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
  });

  it("for a member of the account, or an invited address", async () => {
    const [owner, viewer] = [await member("owner"), await member("viewer")];
    await expect(
      owner.invitations.createInvitation({ email: viewer.email, role: "admin" }),
    ).rejects.toMatchObject({ code: "member.exists" });
    await owner.invitations.createInvitation({ email, role: "viewer" });
    await expect(owner.invitations.createInvitation({ email, role: "admin" })).rejects.toMatchObject({
      code: "invitation.exists",
    });
    expect(identity.mails(email)).toHaveLength(1);
  });

  it.each([
    [{ email: "no address" }, "/email"],
    [{ role: "god" }, "/role"],
  ])("with %j", async (wrong, pointer) => {
    const owner = await member("owner");
    const request = { email, role: "viewer", ...wrong };
    await expect(owner.invitations.createInvitation(request)).rejects.toMatchObject({
      errors: [{ pointer }],
    });
  });

  it("to the same mailbox too often", async () => {
    const owner = await member("owner");
    const { invitation } = await owner.invitations.createInvitation({ email, role: "viewer" });
    const of = { invitationId: invitation?.id ?? "" };
    const outcomes = [];
    for (let n = 0; n < 6; n++) {
      outcomes.push(
        await owner.invitations.resendInvitation(of).then(
          () => "sent",
          ({ code }) => code,
        ),
      );
    }
    expect(outcomes).toEqual(["sent", "sent", ...Array(4).fill("mail.throttled")]);
    expect(identity.mails(email)).toHaveLength(3);
    await accept(identity.tokenTo(email));
  });

  it("with advertising in the name of the account", async () => {
    const advertisement = await identity.openAccount("Cheap loans at evil.example.com");
    await identity.operator.invitations.createInvitation({ accountId: advertisement, email, role: "viewer" });
    const [mail] = identity.mails(email);
    expect(mail?.text).not.toContain("evil");
    expect(mail?.text).toContain("The operator invites you to join an account of Hermod");
  });

  it("when it is accepted with a password that is easily guessed", async () => {
    await identity.operator.invitations.createInvitation({ accountId, email, role: "viewer" });
    const token = identity.tokenTo(email);
    for (const weak of ["short", `${email}${email}`])
      await expect(invitations().acceptInvitation({ token, password: weak })).rejects.toMatchObject({
        errors: [{ pointer: "/password" }],
      });
    await accept(token);
  });
});

it("without mail, an invitation is refused and changes nothing", async () => {
  const silent = await openIdentity({ hasMail: false });
  const { account: made } = await silent.operator.accounts.createAccount({ name: "Acme" });
  const request = { accountId: made?.id ?? "", email, role: "viewer" };
  await expect(silent.operator.invitations.createInvitation(request)).rejects.toMatchObject({
    code: "mail.not_configured",
  });
  const { invitations: open } = await silent.operator.invitations.listInvitations({
    accountId: request.accountId,
  });
  expect(open).toEqual([]);
  await silent.close();
});

it("lists invitations of an account page by page", async () => {
  const owner = await member("owner");
  for (let n = 0; n < 3; n++) {
    identity.time.pass(1);
    await owner.invitations.createInvitation({ email: `${n}-${email}`, role: "viewer" });
  }
  const first = await owner.invitations.listInvitations({ pageSize: 2 });
  const second = await owner.invitations.listInvitations({ pageSize: 2, pageToken: first.nextPageToken });
  expect([...first.invitations, ...second.invitations].map(({ email: to }) => to)).toEqual(
    [0, 1, 2].map((n) => `${n}-${email}`),
  );
  expect(second.nextPageToken).toBe("");
});
