import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeRelay, startFakeRelay } from "../harness/fake-relay.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

/** The built program, started like by a new user: parts that are loaded later exist. */
let hermod: Hermod;
/** A server of a member. */
let mine: FakeRelay;
/** The operator's relay. */
let relay: FakeRelay;
beforeAll(async () => {
  [mine, relay] = await Promise.all([startFakeRelay(), startFakeRelay()]);
  const port = await freePort();
  hermod = await startHermod({
    settings: {
      HERMOD_HTTP_HOST: "localhost",
      HERMOD_HTTP_PORT: String(port),
      HERMOD_MAIL_FROM: "Hermod <hermod@example.com>",
      HERMOD_BASE_URL: `http://localhost:${port}`,
      HERMOD_MAIL_POLICY: "mine",
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    },
  });
});
afterAll(async () => {
  await hermod.dispose();
  await Promise.all([mine.close(), relay.close()]);
});

interface Captured {
  readonly id: string;
  readonly subject: string;
  readonly envelope: { readonly to: readonly string[] };
}

/** The captured mail to this address, in the operator's view. */
async function captured(to: string): Promise<string> {
  const inbox = async () => {
    const response = await fetch(`${hermod.adminUrl}/sandbox/messages`);
    return ((await response.json()) as { readonly data: readonly Captured[] }).data;
  };
  const { id } = await eventually(async () => (await inbox()).find((mail) => mail.envelope.to.includes(to)));
  return (await fetch(`${hermod.adminUrl}/sandbox/messages/${id}/source`)).text();
}

/** Sends a request like a page of the dashboard. */
async function ask(
  method: string,
  route: string,
  { token = "", body }: { token?: string; body?: object } = {},
) {
  const { base_url: origin } = hermod.firstRun;
  const answer = await fetch(origin + route, {
    method,
    headers: { origin, cookie: `hermod=${token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const transportTo = ({ port }: FakeRelay) => ({
  smtp: { servers: [{ host: "127.0.0.1", port }], tls: "opportunistic" },
});

async function signedIn(email: string, role: string): Promise<string> {
  const client = { clientAddress: "192.0.2.1", clientAgent: "test" };
  const as = (session: string) => hermod.core.onBehalfOf({ session, ...client });
  const { password } = await hermod.core.users.createUser({ email, role });
  const { token } = await as("").sessions.signIn({ email, password });
  const newPassword = `several uncommon words of ${email}`;
  return (await as(token).sessions.changePassword({ currentPassword: password, newPassword })).token;
}

it("reports at the start that system mail is captured, how to send it, and that the former setting is ignored", () => {
  const how = "hermod policy put FILE --account system";
  expect(hermod.stdout()).toContain(how);
  const lines = hermod.log().split("\n");
  expect(lines.filter((line) => line.includes(how))).toHaveLength(2);
  expect(hermod.log()).toContain("HERMOD_MAIL_POLICY is ignored");
});

it("does not send a password reset to a server of a member of the first account, or show it", async () => {
  const token = await signedIn("dev@example.net", "developer");
  const policy = { name: "mine", default: true, transports: [transportTo(mine)] };
  expect((await ask("POST", "/api/policies", { token, body: policy })).status).toBe(201);
  const { email } = hermod.firstRun.dashboard;
  expect((await ask("POST", "/api/password-reset", { body: { email } })).status).toBe(204);
  expect((await captured(email)).replace(/=\r\n/g, "")).toMatch(/\/reset-password#\w{40}/);
  expect(mine.connections()).toBe(0);
  for (const route of ["/api/messages?source=system", "/api/sandbox/messages"]) {
    const listed = await ask("GET", route, { token });
    expect([listed.status, listed.body.data]).toEqual([200, []]);
  }
  // The account's own mail uses it, as before.
  const key = { "x-api-key": hermod.firstRun.api_key, "content-type": "application/json" };
  const mail = { from: hermod.firstRun.sender, to: "ada@example.org", subject: "own", text: "own" };
  const send = { method: "POST", headers: key, body: JSON.stringify(mail) };
  expect((await fetch(`${hermod.firstRun.base_url}/v1/email/send`, send)).status).toBe(202);
  await eventually(async () => mine.received.find(({ source }) => source.includes("Subject: own")));
});

it("captures an invitation of a first run in the operator's sandbox inbox, with its link", async () => {
  await hermod.core.invitations.createInvitation({ email: "new@example.net", role: "viewer" });
  const text = await captured("new@example.net");
  expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(text.replace(/=\r\n/g, "")).toMatch(/http:\/\/localhost:\d+\/invitation#\w{40}/);
});

it("uses the policy of the operator, whatever a member does to the policy with the same name", async () => {
  const token = await signedIn("other@example.net", "developer");
  const server = { servers: [{ host: "127.0.0.1", port: relay.port }], tls: "opportunistic" };
  const transports = [{ kind: { case: "smtp" as const, value: server } }];
  await hermod.core.policies.putPolicy({ accountId: "system", policy: { name: "opmail", transports } });
  await hermod.core.policies.putPolicy({ policy: { name: "opmail", transports } });
  const { body: shown } = await ask("GET", "/api/policies/opmail", { token });
  const { revision } = shown;
  const body = { revision, transports: [transportTo(mine)] };
  const refused = await ask("PUT", "/api/policies/opmail", { token, body });
  expect([refused.status, refused.body.code]).toEqual([403, "policy.operator_owned"]);
  const before = mine.connections();
  await hermod.core.invitations.createInvitation({ email: "last@example.net", role: "viewer" });
  const mail = await eventually(async () =>
    relay.received.find(({ source }) => source.includes("Subject: You are invited to Hermod")),
  );
  expect(mail.to).toEqual(["last@example.net"]);
  expect(mine.connections()).toBe(before);
});

it("supports authenticator apps and passkeys", async () => {
  const { email, password } = hermod.firstRun.dashboard;
  const client = { clientAddress: "192.0.2.1", clientAgent: "test" };
  const as = (session: string) => hermod.core.onBehalfOf({ session, ...client });
  const { token } = await as("").sessions.signIn({ email, password });
  const newPassword = "several uncommon words of mine";
  const changed = await as(token).sessions.changePassword({ currentPassword: password, newPassword });
  expect((await as(changed.token).factors.beginTotp({})).url).toMatch(/^otpauth:\/\/totp\//);
  const { optionsJson } = await as(changed.token).factors.beginPasskey({});
  expect(JSON.parse(optionsJson).rp.id).toBe("localhost");
});
