import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Identity, openIdentity } from "../harness/identity.ts";

const HOUR_MS = 60 * 60_000;
const password = "several uncommon words of mine";
const unknown = { code: "link.unknown" };

let identity: Identity;
let email: string;
let count = 0;

beforeAll(async () => {
  identity = await openIdentity({ isSignUpOpen: true });
  await identity.operator.accounts.createAccount({ name: "The operator's" });
});
afterAll(() => identity.close());
beforeEach(() => {
  email = `stranger-${count++}@example.com`;
});

const users = (client = {}) => identity.as(client).users;

async function request(address = email): Promise<unknown> {
  const answer = await users({ clientAddress: `198.51.100.${count++}` }).requestSignUp({ email: address });
  await identity.settled();
  return answer;
}

const complete = (token: string, accountName = "Strangers") =>
  users().completeSignUp({ token, password, accountName });

describe("signing up", () => {
  it("creates a user with an account after the address was confirmed", async () => {
    await request(email.toUpperCase());
    expect(await identity.store.users.findByEmail(email)).toBeNull();
    const token = identity.tokenTo(email);
    expect(identity.mails(email)[0]?.text).toContain(`https://mail.example.com/sign-up#${token}`);
    expect(await users().findSignUp({ token })).toMatchObject({ email });
    const { accountId, sessionToken } = await complete(token);
    const found = await identity.as({ session: sessionToken }).sessions.getSession({});
    expect(found).toMatchObject({
      email,
      accountId,
      memberships: [{ accountId, accountName: "Strangers", role: "owner" }],
      mustChangePassword: false,
    });
    const { policies } = identity.store.forAccount(accountId);
    expect(await policies.findDefault()).toMatchObject({
      name: "sandbox",
      transports: [{ kind: "sandbox" }],
    });
    await identity.as({}).sessions.signIn({ email, password });
  });

  it("works once per link, also when it is followed several times at once", async () => {
    await request();
    const token = identity.tokenTo(email);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => complete(token)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(complete(token)).rejects.toMatchObject(unknown);
  });

  it("has the same answer for an address with a user, and only that mailbox is notified", async () => {
    await request();
    await complete(identity.tokenTo(email));
    const other = `other-${email}`;
    expect(await request()).toEqual(await request(other));
    const [, told] = identity.mails(email);
    expect(told?.text).toContain("already has a user");
    expect(told?.text).not.toContain("#");
  });

  it("creates no second user with an earlier link", async () => {
    const { account } = await identity.operator.accounts.createAccount({ name: "Acme" });
    await request();
    await identity.operator.users.createUser({ email, accountId: account?.id ?? "", role: "viewer" });
    await expect(complete(identity.tokenTo(email))).rejects.toMatchObject({ code: "user.exists" });
  });

  it("has one valid link, for a day", async () => {
    await request();
    const former = identity.tokenTo(email);
    await request();
    const token = identity.tokenTo(email);
    await expect(complete(former)).rejects.toMatchObject(unknown);
    identity.time.pass(24 * HOUR_MS);
    await expect(complete(token)).rejects.toMatchObject(unknown);
  });

  it.each([
    [{ accountName: " " }, "/account_name"],
    [{ accountName: "x".repeat(101) }, "/account_name"],
    [{ password: "short" }, "/password"],
    [{ password: "Unforgettable Inc", accountName: "Unforgettable Inc" }, "/password"],
  ])("refuses %j", async (wrong, pointer) => {
    await request();
    const token = identity.tokenTo(email);
    const answers = { token, password, accountName: "Strangers", ...wrong };
    await expect(users().completeSignUp(answers)).rejects.toMatchObject({ errors: [{ pointer }] });
    await complete(token);
  });
});

it("is refused unless the operator has opened it", async () => {
  const closed = await openIdentity();
  const { users: strangers } = closed.as({});
  const refused = { code: "sign_up.closed" };
  await expect(strangers.requestSignUp({ email })).rejects.toMatchObject(refused);
  await expect(strangers.findSignUp({ token: "x" })).rejects.toMatchObject(refused);
  await expect(
    strangers.completeSignUp({ token: "x", password, accountName: "Strangers" }),
  ).rejects.toMatchObject(refused);
  await closed.close();
});
