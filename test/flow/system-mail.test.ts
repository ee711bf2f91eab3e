import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

/** The program as it is built, as a newcomer starts it: what it loads when it is first needed is there. */
let hermod: Hermod;
beforeAll(async () => {
  hermod = await startHermod({
    settings: { HERMOD_MAIL_FROM: "Hermod <hermod@example.com>", HERMOD_BASE_URL: "http://localhost:8080" },
  });
});
afterAll(() => hermod.dispose());

interface Captured {
  readonly id: string;
  readonly subject: string;
  readonly to: readonly string[];
}

it("an invitation of a first run is in the operator's sandbox inbox, with its link", async () => {
  await hermod.core.invitations.createInvitation({ email: "new@example.net", role: "viewer" });
  const inbox = async () => {
    const response = await fetch(`${hermod.adminUrl}/sandbox/messages`);
    return ((await response.json()) as { readonly data: readonly Captured[] }).data;
  };
  const mail = await eventually(async () =>
    (await inbox()).find(({ subject }) => subject === "You are invited to Hermod"),
  );
  const text = await (await fetch(`${hermod.adminUrl}/sandbox/messages/${mail.id}/source`)).text();
  expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(text.replace(/=\r\n/g, "")).toMatch(/http:\/\/localhost:8080\/invitation#\w{40}/);
});

it("authenticator apps and passkeys are there when somebody asks for them", async () => {
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
