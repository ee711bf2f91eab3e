import type { DescMethod } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needsReentry, reentry } from "../../contracts/common/reentry.ts";
import { dashboard } from "../../contracts/index.ts";
import { SessionService } from "../../gen/hermod/session/v1/session_service_pb.ts";
import { createAuthorize } from "../../src/core/access/authorize.ts";
import { areas } from "../../src/roles/areas.ts";
import { createMethodCallers } from "../../src/rpc/callers.ts";
import { hashSecret } from "../../src/shared/secrets.ts";
import { testAudit } from "../harness/audit.ts";
import { CLIENT, type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";

/** Every method of the core for callers with a session. */
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
  const presented = { role: "front_end", identity: { ...CLIENT, session } } as const;
  return all.admit(presented, method, { accountId });
}

const codeOf = (method: DescMethod, session: string) =>
  admit(method, session).then(
    () => "admitted",
    ({ code }) => code as string,
  );

/** An owner with a password that the operator has set. */
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

  it("has methods for the test", () => {
    expect(methods.length).toBeGreaterThan(100);
  });

  it.each(methods)(
    "permits $name only if it reads the session, ends it or changes the password",
    async ({ method }) => {
      const expected = open.includes(method) ? "admitted" : "auth.password_change_required";
      expect(await codeOf(method, token)).toBe(expected);
    },
  );

  it("returns its user and no account data", async () => {
    expect(await identity.as({ session: token }).sessions.getSession({})).toMatchObject({
      email: "initial@example.com",
      mustChangePassword: true,
      accountId: "",
      memberships: [],
      permissions: [],
    });
  });
});

it("a session that waits for its second factor permits only operations that complete, read or end it", async () => {
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

describe("a session that showed its last factor more than ten minutes ago", () => {
  let token: string;
  beforeAll(async () => {
    token = (await identity.memberOf(accountId)).token;
    await showedFactorAt(token, new Date(identity.time.clock.now().getTime() - 10 * 60_000));
  });

  it.each(methods)("permits $name unless it requires a recent factor", async ({ method }) => {
    const expected = needsReentry(method.localName) ? "auth.reauthentication_required" : "admitted";
    expect(await codeOf(method, token)).toBe(expected);
  });

  it("permits every method again after it has shown a factor", async () => {
    const { token: renewed } = await identity
      .as({ session: token })
      .sessions.reauthenticate({ password: PASSWORD });
    for (const { name, method } of methods) {
      expect([name, await codeOf(method, renewed)]).toEqual([name, "admitted"]);
    }
  });
});

it("permits operations that require a recent factor for ten minutes after the last one", async () => {
  const { token } = await identity.memberOf(accountId);
  const sensitive = methods.filter(({ method }) => needsReentry(method.localName));
  expect(sensitive.length).toBeGreaterThan(25);
  await showedFactorAt(token, new Date(identity.time.clock.now().getTime() - 10 * 60_000 + 1));
  for (const { method } of sensitive) expect(await codeOf(method, token)).toBe("admitted");
});

it("lists no operation with a recent factor that is neither a method nor a route", () => {
  const known = new Set([
    ...methods.map(({ method }) => method.localName),
    ...Object.values(dashboard).flatMap((router) => Object.keys(router)),
  ]);
  expect(reentry.filter((name) => !known.has(name))).toEqual([]);
});

async function showedFactorAt(token: string, authenticatedAt: Date) {
  await identity.db
    .collection("sessions")
    .updateOne({ hash: hashSecret(token) }, { $set: { authenticatedAt } });
}
