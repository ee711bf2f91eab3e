import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Authenticator, type Ceremony, createAuthenticator } from "../harness/authenticator.ts";
import { BASE_URL, type Identity, openIdentity, PASSWORD } from "../harness/identity.ts";

const MINUTE_MS = 60_000;
const here: Ceremony = { origin: BASE_URL };
const invalid = { code: "auth.factor_invalid" };

let identity: Identity;
let accountId: string;
let email: string;
let session: string;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  ({ email, token: session } = await identity.memberOf(accountId));
});

const of = (token: string) => identity.as({ session: token });

/** Adds a passkey; resolves to the session's new token. */
async function add(device: Authenticator, token = session, ceremony = here): Promise<string> {
  const { optionsJson } = await of(token).factors.beginPasskey({});
  const responseJson = device.register(optionsJson, ceremony);
  const { sessionToken } = await of(token).factors.confirmPasskey({ name: "Laptop", responseJson });
  return sessionToken;
}

async function signIn(device: Authenticator, ceremony = here) {
  const { optionsJson } = await identity.as({}).sessions.beginPasskeySignIn({});
  return identity.as({}).sessions.signInWithPasskey({ responseJson: device.prove(optionsJson, ceremony) });
}

async function prove(device: Authenticator, token: string, ceremony = here): Promise<string> {
  const { optionsJson } = await of(token).sessions.beginPasskeyProof({});
  return device.prove(optionsJson, ceremony);
}

describe("a passkey", () => {
  it("signs in alone, and counts as two factors", async () => {
    const device = createAuthenticator();
    const own = await add(device);
    expect(identity.mails(email).at(-1)?.text).toContain("A passkey was added");
    const { token } = await signIn(device);
    expect(await of(token).sessions.getSession({})).toMatchObject({
      email,
      accountId,
      secondFactorRequired: false,
      factors: ["passkey"],
    });
    await of(own).accounts.requireSecondFactor({ required: true });
    await of(token).members.listMembers({});
    const { passkeys, recoveryCodesLeft } = await of(token).factors.listFactors({});
    expect(passkeys).toMatchObject([
      { id: device.id, name: "Laptop", backedUp: false, lastUsedAt: expect.anything() },
    ]);
    expect(recoveryCodesLeft).toBe(10);
  });

  it("is requested after the password, and again for dangerous operations", async () => {
    const device = createAuthenticator();
    await add(device);
    const { token } = await identity.as({}).sessions.signIn({ email, password: PASSWORD });
    expect(await of(token).sessions.getSession({})).toMatchObject({
      secondFactorRequired: true,
      secondFactors: ["passkey", "recovery_code"],
    });
    const passkeyResponseJson = await prove(device, token);
    const { token: complete } = await of(token).sessions.showSecondFactor({ passkeyResponseJson });
    identity.time.pass(11 * MINUTE_MS);
    await expect(of(complete).sessions.endOtherSessions({})).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
    const again = await prove(device, complete);
    const renewed = await of(complete).sessions.reauthenticate({ passkeyResponseJson: again });
    await of(renewed.token).sessions.endOtherSessions({});
  });

  it("is created with the options for finding it on the device without a user name", async () => {
    const device = createAuthenticator();
    const own = await add(device);
    const creation = JSON.parse((await of(own).factors.beginPasskey({})).optionsJson);
    expect(creation).toMatchObject({
      rp: { id: "mail.example.com" },
      user: { name: email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: device.id }],
    });
    const request = JSON.parse((await identity.as({}).sessions.beginPasskeySignIn({})).optionsJson);
    expect(request).toMatchObject({
      rpId: "mail.example.com",
      userVerification: "required",
      allowCredentials: [],
    });
  });

  it("is renamed and removed only by its user", async () => {
    const [device, other] = [createAuthenticator(), createAuthenticator()];
    const own = await add(other, await add(device));
    const stranger = await identity.memberOf(accountId);
    const unknown = { code: "factor.unknown" };
    const renaming = { passkeyId: device.id, name: "Phone" };
    await expect(of(stranger.token).factors.renamePasskey(renaming)).rejects.toMatchObject(unknown);
    await expect(of(stranger.token).factors.removePasskey(renaming)).rejects.toMatchObject(unknown);
    expect(await of(own).factors.renamePasskey(renaming)).toMatchObject({ passkey: { name: "Phone" } });
    const { token: elsewhere } = await signIn(device);
    const { sessionToken } = await of(own).factors.removePasskey({ passkeyId: device.id });
    expect(identity.mails(email).at(-1)?.text).toContain("A passkey was removed");
    await expect(of(elsewhere).sessions.getSession({})).rejects.toMatchObject({
      code: "auth.session_invalid",
    });
    await expect(signIn(device)).rejects.toMatchObject(invalid);
    await signIn(other);
    expect(await of(sessionToken).factors.listFactors({})).toMatchObject({ recoveryCodesLeft: 10 });
    const { token: last } = await of(sessionToken).sessions.reauthenticate({ password: PASSWORD });
    const gone = await of(last).factors.removePasskey({ passkeyId: other.id });
    expect(await of(gone.sessionToken).factors.listFactors({})).toMatchObject({
      recoveryCodesLeft: 0,
      passkeys: [],
    });
  });
});

describe("a passkey is not added", () => {
  it.each([
    ["from another site", { origin: "https://mail.example.com.evil.example" }],
    ["from the same host without TLS", { origin: "http://mail.example.com" }],
    ["without a verified user", { ...here, isVerified: false }],
  ])("%s", async (_what, ceremony) => {
    await expect(add(createAuthenticator(), session, ceremony)).rejects.toMatchObject({
      errors: [{ pointer: "/response" }],
    });
  });

  it("with a challenge of another user, of an earlier request, or that was used", async () => {
    const device = createAuthenticator();
    const stranger = await identity.memberOf(accountId);
    const confirm = (responseJson: string) => of(session).factors.confirmPasskey({ name: "x", responseJson });
    const wrong = { errors: [{ pointer: "/response" }] };
    const { optionsJson: others } = await of(stranger.token).factors.beginPasskey({});
    await expect(confirm(device.register(others, here))).rejects.toMatchObject(wrong);
    const { optionsJson } = await of(session).factors.beginPasskey({});
    identity.time.pass(5 * MINUTE_MS);
    await expect(confirm(device.register(optionsJson, here))).rejects.toMatchObject(wrong);
    const { optionsJson: proof } = await of(session).sessions.beginPasskeyProof({});
    const forged = JSON.stringify({ ...JSON.parse(optionsJson), challenge: JSON.parse(proof).challenge });
    await expect(confirm(device.register(forged, here))).rejects.toMatchObject(wrong);
    for (const nonsense of ["", "{", "null", "[]", '{"id":1}', '{"id":"x"}', "x".repeat(30_000)])
      await expect(confirm(nonsense)).rejects.toMatchObject(wrong);
  });

  it("twice, without a name, or long after a factor was shown", async () => {
    const device = createAuthenticator();
    const own = await add(device);
    await expect(add(device, own)).rejects.toMatchObject({ code: "factor.exists" });
    await expect(of(own).factors.confirmPasskey({ name: " ", responseJson: "x" })).rejects.toMatchObject({
      errors: [{ pointer: "/name", code: "field.required" }],
    });
    identity.time.pass(11 * MINUTE_MS);
    await expect(of(own).factors.beginPasskey({})).rejects.toMatchObject({
      code: "auth.reauthentication_required",
    });
  });

  it("if browsers do not support passkeys", async () => {
    const elsewhere = await openIdentity({ hasPasskeys: false });
    const { account } = await elsewhere.operator.accounts.createAccount({ name: "Acme" });
    const { token } = await elsewhere.memberOf(account?.id ?? "");
    const missing = { code: "passkey.not_available" };
    await expect(elsewhere.as({ session: token }).factors.beginPasskey({})).rejects.toMatchObject(missing);
    await expect(elsewhere.as({}).sessions.beginPasskeySignIn({})).rejects.toMatchObject(missing);
    await elsewhere.close();
  });
});

describe("a sign-in is refused", () => {
  let device: Authenticator;
  beforeEach(async () => {
    device = createAuthenticator();
    await add(device);
  });

  it.each([
    ["from another site", { origin: "https://evil.example" }],
    ["without a verified user", { ...here, isVerified: false }],
    ["with a copy that has a lower counter", { ...here, counter: 1 }],
  ])("%s", async (_what, ceremony) => {
    await signIn(device);
    await expect(signIn(device, ceremony)).rejects.toMatchObject(invalid);
  });

  it("with an answer that was used, or that is late", async () => {
    const { sessions } = identity.as({});
    const { optionsJson } = await sessions.beginPasskeySignIn({});
    const responseJson = device.prove(optionsJson, here);
    const both = await Promise.allSettled([1, 2].map(() => sessions.signInWithPasskey({ responseJson })));
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { optionsJson: late } = await sessions.beginPasskeySignIn({});
    identity.time.pass(5 * MINUTE_MS);
    await expect(
      sessions.signInWithPasskey({ responseJson: device.prove(late, here) }),
    ).rejects.toMatchObject(invalid);
  });

  it("with an answer for another purpose, or with another user's passkey", async () => {
    const stranger = await identity.memberOf(accountId);
    const other = createAuthenticator();
    await add(other, stranger.token);
    const { token } = await identity.as({}).sessions.signIn({ email, password: PASSWORD });
    const own = await prove(device, token);
    await expect(identity.as({}).sessions.signInWithPasskey({ responseJson: own })).rejects.toMatchObject(
      invalid,
    );
    const foreign = await prove(other, token);
    const { sessions } = of(token);
    await expect(sessions.showSecondFactor({ passkeyResponseJson: foreign })).rejects.toMatchObject(invalid);
    const { optionsJson } = await identity.as({}).sessions.beginPasskeySignIn({});
    const forSignIn = device.prove(optionsJson, here);
    await expect(sessions.showSecondFactor({ passkeyResponseJson: forSignIn })).rejects.toMatchObject(
      invalid,
    );
  });

  it("with an unknown passkey, or with invalid input", async () => {
    await expect(signIn(createAuthenticator())).rejects.toMatchObject(invalid);
    for (const responseJson of [
      "",
      "{",
      "null",
      `{"id":"${device.id}"}`,
      `{"id":"${device.id}","response":{}}`,
    ])
      await expect(identity.as({}).sessions.signInWithPasskey({ responseJson })).rejects.toMatchObject(
        invalid,
      );
  });

  it("while a network requests challenges continuously", async () => {
    const { sessions } = identity.as({ clientAddress: "203.0.113.77" });
    const outcomes = [];
    for (let n = 0; n < 203; n++)
      outcomes.push(
        await sessions.beginPasskeySignIn({}).then(
          () => "",
          ({ code }) => code,
        ),
      );
    expect(outcomes.indexOf("auth.throttled")).toBe(200);
  });
});
