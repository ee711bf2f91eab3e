import type { DescMethod } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SessionService } from "../../gen/hermod/session/v1/session_service_pb.ts";
import { createAuthorize } from "../../src/core/access/authorize.ts";
import { areas } from "../../src/roles/areas.ts";
import { createMethodCallers } from "../../src/rpc/callers.ts";
import { testAudit } from "../harness/audit.ts";
import { CLIENT, type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";

/** Every method of the core that is called for the holder of a session. */
const callers = createMethodCallers();
for (const { service, callers: access } of areas) callers.add(service, access);
const methods = areas
  .flatMap(({ service }) => service.methods as readonly DescMethod[])
  .filter((method) => callers.isForSessions(method))
  .map((method) => ({ name: `${method.parent.name}/${method.name}`, method }));

const { getSession, signOut, changePassword, showSecondFactor, beginPasskeyProof } = SessionService.method;

let identity: Identity;
let accountId: string;
beforeAll(async () => {
  identity = await openIdentity();
  accountId = (await identity.operator.accounts.createAccount({ name: "Acme" })).account?.id ?? "";
});
afterAll(() => identity.close());

async function admit(method: DescMethod, session: string) {
  const { store, time } = identity;
  const all = createMethodCallers(createAuthorize({ store, clock: time.clock }));
  for (const { service, callers: access } of areas) all.add(service, access);
  const presented = { role: "front_end", behalf: { ...CLIENT, session } } as const;
  return all.admit(presented, method, { accountId });
}

const codeOf = (method: DescMethod, session: string) =>
  admit(method, session).then(
    () => "admitted",
    ({ code }) => code as string,
  );

/** An owner whose password the operator has set. */
async function initialUser(email: string) {
  const { password } = await identity.operator.users.createUser({ email, accountId, role: "owner" });
  const user = await identity.store.users.findByEmail(email);
  if (!user) throw new Error(`There is no user ${email}.`);
  return { user, password };
}

async function setUpTotp({ _id, email }: { readonly _id: string; readonly email: string }) {
  const totp = { _id, secret: "JBSWY3DPEHPK3PXP", createdAt: identity.time.clock.now() };
  await identity.store.factors.beginTotp(totp);
  await identity.store.factors.confirmTotp(totp, 0, { userId: _id, email, accountId }, testAudit);
}

describe("a session with an initial password", () => {
  let token: string;
  beforeAll(async () => {
    const email = "initial@example.com";
    const { password } = await initialUser(email);
    token = (await identity.as({}).sessions.signIn({ email, password })).token;
  });

  const open: readonly DescMethod[] = [getSession, signOut, changePassword];

  it("has methods to be tested with", () => {
    expect(methods.length).toBeGreaterThan(100);
  });

  it.each(methods)(
    "opens $name only if it reads the session, ends it or changes the password",
    async ({ method }) => {
      const expected = open.includes(method) ? "admitted" : "auth.password_change_required";
      expect(await codeOf(method, token)).toBe(expected);
    },
  );

  it("shows its user and nothing of accounts", async () => {
    expect(await identity.as({ session: token }).sessions.getSession({})).toMatchObject({
      email: "initial@example.com",
      mustChangePassword: true,
      accountId: "",
      memberships: [],
      permissions: [],
    });
  });
});

it("a session that waits for its second factor opens only what completes, reads or ends it", async () => {
  const { userId, email } = await identity.memberOf(accountId);
  await setUpTotp({ _id: userId, email });
  const { token } = await identity.as({}).sessions.signIn({ email, password: PASSWORD });
  const open: readonly DescMethod[] = [getSession, signOut, showSecondFactor, beginPasskeyProof];
  for (const { name, method } of methods) {
    const expected = open.includes(method) ? "admitted" : "auth.second_factor_required";
    expect([name, await codeOf(method, token)]).toEqual([name, expected]);
  }
});

it("a session with both pending shows the second factor first, then changes the password", async () => {
  const email = "both@example.com";
  const { user, password } = await initialUser(email);
  await setUpTotp(user);
  const { token } = await identity.as({}).sessions.signIn({ email, password });
  expect(await codeOf(changePassword, token)).toBe("auth.second_factor_required");
  expect(await codeOf(showSecondFactor, token)).toBe("admitted");
});
