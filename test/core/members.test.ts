import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Identity, openIdentity } from "../harness/identity.ts";

let identity: Identity;
let accountId: string;
let count = 0;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
});

/** A new member of the account: callers and address. */
async function member(role: string, of = accountId) {
  const email = `${role}-${count++}@example.com`;
  // Ids of the same millisecond have no order.
  identity.time.pass(1);
  const { token } = await identity.signedIn(email, of, role);
  return { email, ...identity.as({ session: token }) };
}

describe("members", () => {
  it("see each other, page by page, and no members of another account", async () => {
    const { members, email } = await member("viewer");
    const owner = await member("owner");
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    await member("owner", account?.id);
    const first = await members.listMembers({ pageSize: 1 });
    expect(first.members).toMatchObject([{ email, role: "viewer" }]);
    const next = await members.listMembers({ pageSize: 1, pageToken: first.nextPageToken });
    expect(next.members).toMatchObject([{ email: owner.email, role: "owner" }]);
    expect(next.nextPageToken).toBe("");
  });

  it("get another role, which applies to open sessions", async () => {
    const admin = await member("admin");
    const bob = await member("viewer");
    await expect(bob.accounts.renameAccount({ name: "Bob's" })).rejects.toMatchObject({
      code: "auth.permission_missing",
    });
    await admin.members.changeRole({ user: bob.email, role: "admin" });
    expect((await bob.accounts.renameAccount({ name: "Bob's" })).account).toMatchObject({ name: "Bob's" });
    await admin.members.removeMember({ user: bob.email });
    await expect(bob.accounts.getAccount({})).rejects.toMatchObject({ code: "auth.permission_missing" });
    expect(await bob.sessions.getSession({})).toMatchObject({
      accountId: "",
      memberships: [],
      permissions: [],
    });
  });

  it("cannot grant or revoke more than their own permissions", async () => {
    const owner = await member("owner");
    const admin = await member("admin");
    const developer = await member("developer");
    const exceeded = { code: "member.grant_exceeded" };
    const change = (user: string, role: string) => admin.members.changeRole({ user, role });
    await expect(change(developer.email, "owner")).rejects.toMatchObject(exceeded);
    await expect(change(admin.email, "owner")).rejects.toMatchObject(exceeded);
    await expect(change(owner.email, "viewer")).rejects.toMatchObject(exceeded);
    await expect(admin.members.removeMember({ user: owner.email })).rejects.toMatchObject(exceeded);
    for (const { members } of [developer, await member("support"), await member("viewer")]) {
      await expect(members.changeRole({ user: admin.email, role: "viewer" })).rejects.toMatchObject({
        code: "auth.permission_missing",
      });
    }
    await change(developer.email, "admin");
  });

  it("of another account are unknown, like people who do not exist", async () => {
    const owner = await member("owner");
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    const foreign = await member("viewer", account?.id);
    const { userId } = await foreign.sessions.getSession({});
    const refusals = await Promise.all(
      [foreign.email, userId, "nobody@example.com", "usr_nobody"].map((user) =>
        owner.members.removeMember({ user }).catch(({ code }) => code),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(["member.unknown"]));
    const other = { accountId: account?.id ?? "", user: foreign.email, role: "admin" };
    await expect(owner.members.changeRole(other)).rejects.toMatchObject({ code: "account.unknown" });
    await expect(owner.members.listMembers({ accountId: other.accountId })).rejects.toMatchObject({
      code: "account.unknown",
    });
  });

  it("have an existing role", async () => {
    const owner = await member("owner");
    await expect(owner.members.changeRole({ user: owner.email, role: "god" })).rejects.toMatchObject({
      errors: [{ pointer: "/role", code: "field.invalid" }],
    });
  });
});

describe("the last owner", () => {
  const last = { code: "member.last_owner" };

  it("cannot be removed", async () => {
    const owner = await member("owner");
    await expect(owner.members.removeMember({ user: owner.email })).rejects.toMatchObject(last);
    await expect(owner.members.changeRole({ user: owner.email, role: "admin" })).rejects.toMatchObject(last);
    const { operator } = identity;
    await expect(operator.members.removeMember({ accountId, user: owner.email })).rejects.toMatchObject(last);
    const second = await member("owner");
    await second.members.changeRole({ user: owner.email, role: "viewer" });
  });

  it("stays when all owners revoke each other's role at once", async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => member("owner")));
    await Promise.allSettled(
      owners.map(({ members }, index) =>
        members.removeMember({ user: owners[(index + 1) % owners.length]?.email ?? "" }),
      ),
    );
    const { members } = await identity.operator.members.listMembers({ accountId });
    expect(members.filter(({ role }) => role === "owner").length).toBeGreaterThanOrEqual(1);
  });
});

it("a new account captures its mail until it has another policy", async () => {
  const { policies } = identity.store.forAccount(accountId);
  expect(await policies.findDefault()).toMatchObject({ name: "sandbox", transports: [{ kind: "sandbox" }] });
});

describe("a user", () => {
  it("that already exists joins unchanged, once", async () => {
    const { email } = await member("viewer");
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    const again = { email: email.toUpperCase(), accountId: account?.id ?? "", role: "admin" };
    expect(await identity.operator.users.createUser(again)).toMatchObject({ password: "", user: { email } });
    await expect(identity.operator.users.createUser(again)).rejects.toMatchObject({ code: "member.exists" });
  });

  it("that is created several times at once is created once", async () => {
    const email = "once@example.com";
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => identity.operator.users.createUser({ email, accountId })),
    );
    const answers = made.flatMap((one) => (one.status === "fulfilled" ? one.value.password : []));
    expect(answers.filter((password) => password !== "")).toHaveLength(1);
    await identity.as({}).sessions.signIn({ email, password: answers.find(Boolean) ?? "" });
  });

  it.each([
    [{ email: "no address" }, "/email"],
    [{ email: "ada@example.com", role: "god" }, "/role"],
  ])("is not created with %j", async (request, at) => {
    await expect(identity.operator.users.createUser({ accountId, ...request })).rejects.toMatchObject({
      errors: [{ pointer: at }],
    });
  });
});
