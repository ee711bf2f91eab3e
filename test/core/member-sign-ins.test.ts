import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashSecret } from "../../src/shared/secrets.ts";
import type { MemberRole } from "../../src/store/documents.ts";
import { MAX_COUNTED_SESSIONS } from "../../src/store/member-store.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let identity: Identity;
let accountId: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
});

/** A new member of the account, with one session. */
async function member(role: MemberRole = "owner", of = accountId) {
  identity.time.pass(1);
  const { token, ...user } = await identity.memberOf(of, role);
  return { ...identity.as({ session: token }), ...user, token };
}
type Member = Awaited<ReturnType<typeof member>>;

/** Another session of the user, with this account. */
async function sessionIn({ userId, email }: Member, of: string) {
  const now = identity.time.clock.now();
  const [first] = await identity.store.sessions.listOfUser(userId);
  if (!first) throw new Error("the user has no session");
  const suffix = Math.random().toString(36).slice(2);
  const token = `token-${suffix}`;
  const endsAt = new Date(now.getTime() + 24 * HOUR_MS);
  const session = { ...first, _id: `ses_${suffix}`, hash: hashSecret(token), email, accountId: of };
  const times = { createdAt: now, seenAt: now, authenticatedAt: now, endsAt, expireAt: endsAt };
  await identity.store.sessions.insert({ ...session, ...times }, testAudit);
  return { token, ...identity.as({ session: token }) };
}

/** Sets up an authenticator app in the member's session. */
async function enrol({ factors }: Member): Promise<string> {
  const { secret } = await factors.beginTotp({});
  const timestamp = identity.time.clock.now().getTime();
  const code = new TOTP({ secret }).generate({ timestamp });
  return (await factors.confirmTotp({ code })).sessionToken;
}

async function addPasskey({ userId, email }: Member): Promise<void> {
  const createdAt = identity.time.clock.now();
  const device = { publicKey: new Uint8Array(8), counter: 0, transports: [], backedUp: false };
  const passkey = { id: `pk-${userId}`, userId, name: "phone", createdAt, ...device };
  await identity.store.passkeys.insert(passkey, { userId, email, accountId }, testAudit);
}

describe("a list of members", () => {
  it("contains second factors, sessions and the last use, for members who may change them", async () => {
    const owner = await member();
    const [app, device, viewer] = [await member("admin"), await member("developer"), await member("viewer")];
    await enrol(app);
    await addPasskey(device);
    const { members, owners } = await owner.members.listMembers({});
    expect(owners).toBe(1);
    const of = (one: Member) => members.find(({ userId }) => userId === one.userId);
    expect(of(owner)).toMatchObject({ secondFactor: "none", meetsRequirement: true, openSessions: 1 });
    expect(of(app)).toMatchObject({ secondFactor: "totp", openSessions: 1 });
    expect(of(device)).toMatchObject({ secondFactor: "passkey" });
    for (const { members: seen } of [
      await viewer.members.listMembers({}),
      await device.members.listMembers({}),
    ]) {
      expect(seen).toHaveLength(4);
      for (const { secondFactor, meetsRequirement, openSessions, lastSeenAt } of seen)
        expect([secondFactor, meetsRequirement, openSessions, lastSeenAt]).toEqual(Array(4).fill(undefined));
    }
    await expect(viewer.members.listMembers({ withoutSecondFactor: true })).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
  });

  it("says which members lack a required second factor", async () => {
    const owner = await member();
    const app = await member("admin");
    await enrol(app);
    const { operator } = identity;
    await operator.accounts.requireSecondFactor({ accountId, required: true });
    const { members } = await operator.members.listMembers({ accountId });
    expect(members.map(({ email, meetsRequirement }) => [email, meetsRequirement])).toEqual([
      [owner.email, false],
      [app.email, true],
    ]);
  });

  it("is filtered by role, address and missing factor, page by page", async () => {
    const all = [await member(), await member("viewer"), await member("viewer"), await member("admin")];
    const [owner, viewer, other, admin] = all as [Member, Member, Member, Member];
    await enrol(viewer);
    const found = async (filter: object) => {
      const emails: string[] = [];
      let pageToken = "";
      do {
        const page = await owner.members.listMembers({ ...filter, pageSize: 1, pageToken });
        emails.push(...page.members.map(({ email }) => email));
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      return emails;
    };
    expect(await found({ role: "viewer" })).toEqual([viewer.email, other.email]);
    expect(await found({ search: admin.email.slice(1).toUpperCase() })).toEqual([admin.email]);
    expect(await found({ withoutSecondFactor: true })).toEqual([owner.email, other.email, admin.email]);
    expect(await found({ withoutSecondFactor: true, role: "viewer" })).toEqual([other.email]);
    expect(await found({ search: "nobody" })).toEqual([]);
    for (const [filter, pointer] of [
      [{ role: "god" }, "/role"],
      [{ search: "a".repeat(321) }, "/search"],
    ] as const)
      await expect(owner.members.listMembers(filter)).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("keeps the last use after the session has ended, exact to the hour", async () => {
    const owner = await member();
    const bob = await member("viewer");
    await bob.accounts.getAccount({});
    const used = identity.time.clock.now();
    identity.time.pass(HOUR_MS / 2);
    await bob.accounts.getAccount({});
    const again = identity.time.clock.now();
    const seen = async () => {
      const { members } = await identity.operator.members.listMembers({ accountId });
      const found = members.find(({ userId }) => userId === bob.userId);
      return [Number(found?.lastSeenAt?.seconds ?? 0), found?.openSessions];
    };
    expect(await seen()).toEqual([Math.floor(again.getTime() / 1_000), 1]);
    await owner.members.listMembers({});
    await identity.operator.members.signOutMember({ accountId, user: bob.email });
    expect(await seen()).toEqual([Math.floor(used.getTime() / 1_000), 0]);
  });

  it("counts sessions of each member, even if one has very many", async () => {
    const [busy, quiet] = [await member("viewer"), await member()];
    const [first] = await identity.store.sessions.listOfUser(busy.userId);
    const sessions = Array.from({ length: 3 * MAX_COUNTED_SESSIONS }, (_, n) => ({
      ...first,
      _id: `ses_${busy.userId}_${n}`,
      hash: `${busy.userId}_${n}`,
    }));
    await identity.db.collection("sessions").insertMany(sessions as never);
    const { members } = await quiet.members.listMembers({});
    expect(members.map(({ openSessions }) => openSessions)).toEqual([MAX_COUNTED_SESSIONS, 1]);
  });

  it("does not count expired sessions and those that wait for a second factor", async () => {
    const owner = await member();
    const expired = await sessionIn(owner, accountId);
    const pending = await sessionIn(owner, accountId);
    const sessions = identity.db.collection("sessions");
    const past = new Date(identity.time.clock.now().getTime() - 1);
    await sessions.updateOne({ hash: hashSecret(expired.token) }, { $set: { endsAt: past } });
    await sessions.updateOne({ hash: hashSecret(pending.token) }, { $set: { secondFactorPending: true } });
    expect((await owner.members.listMembers({})).members).toMatchObject([{ openSessions: 1 }]);
  });
});

describe("the end of a member's sessions", () => {
  const invalid = { code: "auth.session_invalid" };

  it("ends those in this account, notifies the member once, and is in the audit log", async () => {
    const owner = await member();
    const bob = await member("viewer");
    const second = await sessionIn(bob, accountId);
    identity.time.pass(1);
    expect(await owner.members.signOutMember({ user: bob.email })).toMatchObject({ ended: 2 });
    for (const { accounts } of [bob, second])
      await expect(accounts.getAccount({})).rejects.toMatchObject(invalid);
    expect(await owner.members.signOutMember({ user: bob.userId })).toMatchObject({ ended: 0 });
    const notices = identity.mails(bob.email).filter(({ text }) => text.includes("ended all your sessions"));
    expect(notices).toHaveLength(1);
    expect(notices[0]?.text).toContain(owner.email);
    const filter = { action: "member.sign_out" };
    const { entries } = await owner.audits.listEntries({ filter });
    const target = { kind: "sessions", id: bob.userId, name: bob.email };
    expect(entries).toMatchObject([
      { target, changes: [{ field: "count", before: "0" }] },
      { target, changes: [{ field: "count", before: "2" }] },
    ]);
    await expect(owner.accounts.getAccount({})).resolves.toBeDefined();
  });

  it("leaves sessions in another account, which show a factor again before they switch", async () => {
    const owner = await member();
    const bob = await member("viewer");
    const other = await identity.openAccount();
    await identity.operator.users.createUser({ email: bob.email, accountId: other, role: "viewer" });
    const elsewhere = await sessionIn(bob, other);
    identity.time.pass(1);
    expect(await owner.members.signOutMember({ user: bob.email })).toMatchObject({ ended: 1 });
    await elsewhere.accounts.getAccount({});
    const toAccountId = accountId;
    await expect(elsewhere.sessions.switchAccount({ toAccountId })).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
    const hash = hashSecret(elsewhere.token);
    const authenticatedAt = identity.time.clock.now();
    await identity.db.collection("sessions").updateOne({ hash }, { $set: { authenticatedAt } });
    const { token } = await elsewhere.sessions.switchAccount({ toAccountId });
    await identity.as({ session: token }).accounts.getAccount({});
  });

  it("also holds for a session that was switching to the account at that time", async () => {
    const owner = await member();
    const bob = await member("viewer");
    const switching = await sessionIn(bob, accountId);
    const sessions = identity.db.collection("sessions");
    const late = await sessions.findOne({ hash: hashSecret(switching.token) });
    identity.time.pass(1);
    await owner.members.signOutMember({ user: bob.email });
    if (late) await sessions.insertOne(late);
    await expect(switching.accounts.getAccount({})).rejects.toMatchObject(invalid);
  });

  it("does not change a session of another member, or of another account", async () => {
    const [owner, viewer] = [await member(), await member("viewer")];
    const other = await identity.openAccount();
    const foreign = await member("viewer", other);
    for (const user of [foreign.email, foreign.userId, "nobody@example.com", "usr_none"])
      await expect(owner.members.signOutMember({ user })).rejects.toMatchObject({ code: "member.unknown" });
    await foreign.accounts.getAccount({});
    await owner.members.signOutMember({ user: owner.email });
    await viewer.accounts.getAccount({});
    await expect(owner.accounts.getAccount({})).rejects.toMatchObject(invalid);
  });

  it("needs the permissions of the member, and a recent factor", async () => {
    const [owner, admin, developer] = [await member(), await member("admin"), await member("developer")];
    await expect(admin.members.signOutMember({ user: owner.email })).rejects.toMatchObject({
      code: "member.grant_exceeded",
    });
    await expect(developer.members.signOutMember({ user: developer.email })).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
    identity.time.pass(11 * MINUTE_MS);
    await expect(owner.members.signOutMember({ user: admin.email })).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
    await admin.accounts.getAccount({});
  });
});

describe("the preview of a required second factor", () => {
  it("names the members who would have to set one up", async () => {
    const [owner, admin, viewer] = [await member(), await member("admin"), await member("viewer")];
    await enrol(admin);
    expect(await owner.accounts.getSecondFactor({})).toMatchObject({
      required: false,
      canRequire: false,
      hasSecondFactor: false,
      withoutCount: 2,
      without: [
        { userId: owner.userId, email: owner.email, role: "owner" },
        { userId: viewer.userId, email: viewer.email, role: "viewer" },
      ],
      complete: true,
    });
    await expect(owner.accounts.requireSecondFactor({ required: true })).rejects.toMatchObject({
      code: "auth.second_factor_missing",
    });
    const enrolled = identity.as({ session: await enrol(owner) });
    const { revision, ...shown } = await enrolled.accounts.getSecondFactor({});
    expect(shown).toMatchObject({ canRequire: true, hasSecondFactor: true, withoutCount: 1 });
    await enrolled.accounts.requireSecondFactor({ required: true, ifRevision: revision });
    expect(await enrolled.accounts.getSecondFactor({})).toMatchObject({ required: true });
    // The session continues, and its user can set up a factor in it.
    const missing = { code: "auth.second_factor_missing" };
    await expect(viewer.accounts.getAccount({})).rejects.toMatchObject(missing);
    const ready = identity.as({ session: await enrol(viewer) });
    await ready.accounts.getAccount({});
    await expect(ready.accounts.getSecondFactor({})).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
  });
});

it("the list of roles is what Hermod checks, with a sentence for each permission", async () => {
  const viewer = await member("viewer");
  const { roles, permissions } = await viewer.members.listRoles({});
  expect(roles.map(({ name }) => name)).toEqual(["owner", "admin", "developer", "support", "viewer"]);
  const names = permissions.map(({ name }) => name);
  expect(roles[0]?.permissions.toSorted()).toEqual(names.toSorted());
  for (const { description } of [...roles, ...permissions]) expect(description).not.toBe("");
  const { permissions: own } = await viewer.sessions.getSession({});
  expect(roles.at(-1)?.permissions.toSorted()).toEqual([...own].sort());
});
