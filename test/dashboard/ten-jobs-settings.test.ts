import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { type Answer, askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type FakeRelay, startFakeRelay } from "../harness/fake-relay.ts";
import {
  button,
  createPageJobs,
  dialogOf,
  inDialog,
  type MostSteps,
  tabOf,
  ways,
} from "../harness/page-jobs.ts";
import { eventually } from "../harness/start-hermod.ts";
import { acceptsConnections, freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../harness/webhook-pages.ts";

const browser = tool("chromium");
/** The language of the receiver. Every machine with the tests has Node.js, which the page shows first. */
const language = tool("python").missing
  ? { name: "Node.js", file: "receiver.mjs", program: process.execPath }
  : { name: "Python", file: "receiver.py", program: "python3" };
const COLLEAGUE = "dana@example.com";
const PASSWORD = "copper willow anthem 52";
/** An erasure waits a minute for messages that are being accepted. */
const ERASURE_MS = 240_000;

/** A page that needs more has become worse. */
const most: MostSteps = {
  "route one domain by another relay, and prove it before saving": [12, 105],
  "change a template, and roll it back": [9, 90],
  "find out why an endpoint was disabled, and replay what it missed": [6, 90],
  "verify a webhook in one's own language": [6, 50],
  "invite a colleague as viewer": [3, 15],
  "find who changed a policy, and restore it": [6, 40],
  "hold the queue of one destination, and release it": [9, 45],
  "export the audit log of a week": [3, 12],
  "erase a recipient with proof": [5, 30],
  "require second factors without locking anybody out": [9, 40],
};

describe.skipIf(browser.missing)(`ten jobs with the settings${browser.note}`, () => {
  let world: DashboardWorld;
  /** Relay of the policies, and relay of a partner. */
  let relay: FakeRelay;
  let partner: FakeRelay;
  let visit: Visit;
  const receivers: WebhookReceiver[] = [];
  const { job, report } = createPageJobs({
    most,
    visit: () => visit,
    home: () => `${world.url}/dashboard`,
  });

  beforeAll(async () => {
    relay = await startFakeRelay();
    partner = await startFakeRelay();
    world = await openDashboard({
      // Relays and endpoints of these jobs are on this machine.
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
      HERMOD_MAIL_FROM: "Hermod <hermod@example.com>",
    });
    visit = await world.signIn();
    await storePolicies();
  });
  afterAll(async () => {
    report();
    for (const receiver of receivers) receiver.close();
    await world?.dispose();
    await relay?.close();
    await partner?.close();
  });

  const core = () => world.hermod.core;
  const ask = (method: string, address: string, body?: object) =>
    askOn(visit.page, method, `/api${address}`, body);
  const policyOf = async (name: string) => (await ask("GET", `/policies/${name}`)).body;
  const arrived = (at: FakeRelay, address: string) =>
    eventually(async () => at.received.some(({ to }) => to.includes(address)) || undefined);

  /** Stores the policies of the jobs. A colleague changes one of them afterwards. */
  async function storePolicies(): Promise<void> {
    const transports = [{ smtp: { servers: [{ host: "127.0.0.1", port: relay.port }], tls: "none" } }];
    const limits = { messages_per_minute: 60 };
    const colleague = await signInMember(COLLEAGUE);
    for (const way of ways) {
      for (const name of [`route-${way}`, `hold-${way}`])
        expect((await ask("POST", "/policies", { name, transports })).status).toBe(201);
      const name = `changed-${way}`;
      const { revision } = (await ask("POST", "/policies", { name, transports })).body;
      const changed = await colleague("PUT", `/policies/${name}`, { revision, transports, limits });
      expect(changed.status).toBe(200);
    }
  }

  /** Creates a user, and signs in. */
  async function signInMember(email: string): Promise<Ask> {
    const { password } = await core().users.createUser({ email, role: "developer" });
    return startSession(world.url, { email, initial: password });
  }

  job("route one domain by another relay, and prove it before saving", async (user, way) => {
    const { page } = user;
    const name = `route-${way}`;
    const domain = `${way}.example.org`;
    await user.begin();
    await user.go("Routing policies");
    await user.press(page.getByRole("link", { name, exact: true }));
    await user.press(button(user, "Add a rule"));
    const rule = page.getByRole("group", { name: "Rule 1", exact: true });
    await user.type(rule.getByLabel("Domains of recipients").first(), domain);
    const transport = page.getByRole("group", { name: "Rule 1, Transport 1", exact: true });
    await user.type(transport.getByLabel("Host name or IP address"), "127.0.0.1");
    await user.type(transport.getByLabel("Port", { exact: true }), String(partner.port));
    await user.press(transport.getByRole("combobox", { name: "TLS", exact: true }));
    await user.choose("None: plain text");
    await user.press(tabOf(user, "Try it"));
    await user.type(page.getByLabel("Recipient address or message id"), `ada@${domain}`);
    await user.press(button(user, "Explain"));
    await page.getByText(`Rule 1 names ${domain} and is the first rule that matches.`).first().waitFor();
    await page.getByText(`Relay 127.0.0.1:${partner.port}.`).first().waitFor();
    expect((await policyOf(name)).rules).toEqual([]);
    await user.press(button(user, "Save"));
    // It goes with the last unsaved change.
    await page.getByRole("button", { name: "Discard changes" }).waitFor({ state: "detached" });
    expect((await policyOf(name)).rules).toMatchObject([{ domains: [domain] }]);
    await world.send({ to: `ada@${domain}`, routing_policy: name });
    await world.send({ to: `ada@other-${domain}`, routing_policy: name });
    await arrived(partner, `ada@${domain}`);
    await arrived(relay, `ada@other-${domain}`);
  });

  job("change a template, and roll it back", async (user, way) => {
    const { page } = user;
    const name = `order-${way}`;
    const first = { subject: "Your order", html: "<p>Thank you.</p>" };
    const { revision } = (await ask("POST", "/templates", { name, ...first })).body;
    expect((await ask("POST", `/templates/${name}/publish`, { revision })).status).toBe(200);
    const stored = async () => (await ask("GET", `/templates/${name}`)).body;
    await user.begin();
    await user.go("Templates");
    await user.press(page.getByRole("link", { name, exact: true }));
    await user.type(page.getByRole("textbox", { name: "HTML", exact: true }), "<p>Many thanks.</p>");
    await user.press(button(user, "Publish"));
    await user.press(inDialog(user, "Publish"));
    await dialogOf(user).waitFor({ state: "detached" });
    expect(await stored()).toMatchObject({ published_version: 2, content: { html: "<p>Many thanks.</p>" } });
    await user.press(tabOf(user, "Versions"));
    await user.press(button(user, "Actions on version 1"));
    await user.choose("Publish again");
    await user.press(inDialog(user, "Publish again"));
    await dialogOf(user).waitFor({ state: "detached" });
    expect(await stored()).toMatchObject({ published_version: 3, content: first });
    const { data } = (await ask("GET", `/templates/${name}/versions`)).body;
    expect(data).toMatchObject([{ version: 3, restored_version: 1, published: true }, {}, {}]);
  });

  job("find out why an endpoint was disabled, and replay what it missed", async (user) => {
    const { page } = user;
    const receiver = await startWebhookReceiver();
    receivers.push(receiver);
    receiver.status = 410;
    const settings = { url: receiver.url, types: ["message.delivered"] };
    const { id } = (await ask("POST", "/webhooks", settings)).body;
    const disabled = async () => (await ask("GET", `/webhooks/${id}`)).body.disabled;
    await world.send({ subject: "Missed" });
    await expect.poll(async () => (await disabled())?.reason).toBe("gone");
    const missed = receiver.ids.at(-1);
    await user.begin();
    await user.go("Webhooks");
    await user.press(page.getByRole("link", { name: receiver.url, exact: true }));
    await page.getByText(/^The endpoint answered 410 \(Gone\)/).waitFor();
    receiver.status = 204;
    await user.press(button(user, "Enable"));
    await user.press(inDialog(user, "Enable"));
    await dialogOf(user).getByText("The endpoint is enabled, and has accepted a test event.").waitFor();
    await user.press(inDialog(user, "Replay what it missed"));
    await user.press(inDialog(user, /^Replay \d/));
    await dialogOf(user)
      .getByText(/queued to be sent\./)
      .waitFor();
    await expect.poll(() => receiver.ids.filter((one) => one === missed).length).toBe(2);
    expect(await disabled()).toBeUndefined();
  });

  job("verify a webhook in one's own language", async (user) => {
    const { page } = user;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks/mail`;
    // The page has shown the secret once, and the user has copied it.
    const { id, secret } = (await ask("POST", "/webhooks", { url, types: ["message.bounced"] })).body;
    const accepted = async () => {
      const search = `endpoint_id=${id}&state=delivered`;
      return (await ask("GET", `/webhook-deliveries?${search}`)).body.data.length;
    };
    await user.begin();
    await user.go("Webhooks");
    await user.press(page.getByRole("link", { name: url, exact: true }));
    await user.press(tabOf(user, "Verify"));
    await user.press(button(user, language.name));
    await page.getByText(language.file, { exact: true }).waitFor();
    const code = (await page.getByRole("region", { name: "Program" }).textContent()) ?? "";
    expect(code).toContain(url);
    expect(code).not.toContain(secret);
    const folder = await mkdtemp(path.join(tmpdir(), "hermod-verify-job-"));
    await writeFile(path.join(folder, language.file), code);
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
    const child = spawn(language.program, [language.file], { cwd: folder, env, stdio: "ignore" });
    try {
      await eventually(async () => (await acceptsConnections(port)) || undefined);
      await user.press(button(user, "Send a test event"));
      await user.press(inDialog(user, "Send a test event"));
      await dialogOf(user)
        .getByText(/^Accepted with 204 after/)
        .waitFor();
    } finally {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    }
    await expect.poll(accepted).toBe(1);
  });

  job("invite a colleague as viewer", async (user, way) => {
    const email = `viewer-${way}@example.com`;
    await user.begin();
    await user.go("Members");
    await user.press(button(user, "Invite a member"));
    await user.type(dialogOf(user).getByLabel("Email address"), email);
    expect(await dialogOf(user).getByRole("radio", { name: "Viewer" }).isChecked()).toBe(true);
    await user.press(inDialog(user, "Send the invitation"));
    await button(user, `Revoke the invitation of ${email}`).waitFor();
    const { data } = (await ask("GET", "/invitations")).body;
    expect(data).toContainEqual(expect.objectContaining({ email, role: "viewer" }));
  });

  job("find who changed a policy, and restore it", async (user, way) => {
    const { page } = user;
    const name = `changed-${way}`;
    await user.begin();
    await user.go("Routing policies");
    await user.press(page.getByRole("link", { name, exact: true }));
    await user.press(tabOf(user, "Versions"));
    const change = page.getByRole("row").filter({ hasText: "Version 2" }).first();
    await change.getByText(COLLEAGUE).waitFor();
    await user.press(button(user, "Version 1"));
    await user.press(button(user, "Restore"));
    await dialogOf(user).getByText("limits", { exact: true }).waitFor();
    await user.press(inDialog(user, "Restore"));
    await dialogOf(user).waitFor({ state: "detached" });
    expect((await policyOf(name)).limits).toBeUndefined();
    const { data } = (await ask("GET", `/policies/${name}/versions`)).body;
    const restored = { version: 3, restored_version: 1, current: true };
    expect(data).toMatchObject([restored, { author: { name: COLLEAGUE } }, {}]);
  });

  job("hold the queue of one destination, and release it", async (user, way) => {
    const { page } = user;
    const name = `hold-${way}`;
    const domain = `${way}.example.net`;
    const queue = async () => (await ask("GET", `/policies/${name}/queue`)).body;
    await user.begin();
    await user.go("Routing policies");
    await user.press(page.getByRole("link", { name, exact: true }));
    await user.press(tabOf(user, "Queue"));
    await user.press(button(user, "Hold the queue"));
    await user.type(dialogOf(user).getByLabel("Destination"), domain);
    await user.type(dialogOf(user).getByLabel("Reason"), "The partner is down");
    await user.press(inDialog(user, "Hold"));
    await dialogOf(user).waitFor({ state: "detached" });
    expect((await queue()).holds).toMatchObject([{ destination: domain, reason: "The partner is down" }]);
    // The worker follows within two seconds.
    await eventually(async () => {
      const metrics = await fetch(`${world.hermod.adminUrl}/metrics`).then((answer) => answer.text());
      return metrics.includes("hermod_queue_holds 1") || undefined;
    });
    const id = await world.send({ to: `bob@${domain}`, routing_policy: name });
    await world.send({ to: `bob@other-${domain}`, routing_policy: name });
    await arrived(relay, `bob@other-${domain}`);
    await expect.poll(async () => (await queue()).waiting).toBe(1);
    expect((await core().messages.getMessage({ id })).message?.state).toBe("queued");
    await user.press(button(user, `Release: ${domain}`));
    await user.press(inDialog(user, "Release"));
    await page.getByText("No hold covers messages of this policy").waitFor();
    expect((await queue()).holds).toEqual([]);
    await arrived(relay, `bob@${domain}`);
  });

  job("export the audit log of a week", async (user) => {
    const { data } = (await ask("GET", "/audit?limit=100")).body;
    const exports = async () => (await ask("GET", "/audit?action=audit")).body.data.length;
    const before = await exports();
    await user.begin();
    await user.go("Audit log");
    await user.press(button(user, "Export"));
    const download = user.page.waitForEvent("download");
    await user.choose("The last 7 days, as CSV");
    const [heading, ...lines] = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
    expect(heading).toContain("id,at,");
    const ids = lines.map((line) => line.split(",", 1)[0]);
    expect(ids).toEqual(expect.arrayContaining(data.map(({ id }: { readonly id: string }) => id)));
    await expect.poll(exports).toBeGreaterThan(before);
  });

  // A new session for each way: a factor must have been shown within ten minutes, and an erasure takes long.
  job(
    "erase a recipient with proof",
    async (user, way) => {
      const { page } = user;
      const address = `ada-${way}@example.org`;
      const id = await world.send({ to: address, subject: "Before" });
      await eventually(async () => {
        const { message } = await core().messages.getMessage({ id });
        return message?.state === "captured" || undefined;
      });
      await user.begin();
      await user.go("Privacy and retention");
      await user.press(button(user, "Erase a recipient"));
      await user.type(dialogOf(user).getByLabel("Address of the recipient"), address);
      await user.press(inDialog(user, "Count the data"));
      await dialogOf(user).getByText("Hermod would remove now:").waitFor();
      await user.press(inDialog(user, "Erase permanently"));
      await page.getByText("This page is the proof.").waitFor({ timeout: ERASURE_MS });
      const download = page.waitForEvent("download");
      await user.press(button(user, "Download as JSON"));
      const proof = JSON.parse(await readFile(await (await download).path(), "utf8"));
      expect(proof).toEqual((await askOn(page, "GET", `/api/erasures/${proof.id}`)).body);
      expect(proof).toMatchObject({ state: "done", removed: { messages: 1 } });
      const hash = createHash("sha256").update(`${proof.salt}${address}`).digest("base64url");
      expect(proof.address_hash).toBe(hash);
      await expect(core().messages.getMessage({ id })).rejects.toMatchObject({ code: "message.unknown" });
    },
    { open: () => world.signIn(), timeoutMs: ERASURE_MS + 120_000 },
  );

  describe("in an account without other open pages", () => {
    // A page of a session without a second factor would be refused.
    beforeAll(() => visit.leave());

    job(
      "require second factors without locking anybody out",
      async (user, way) => {
        const { page } = user;
        const state = async () => (await askOn(page, "GET", "/api/account/second-factor")).body;
        await user.begin();
        await user.go("Security");
        await page.getByText("Set up a second factor of your own first.").waitFor();
        expect(await button(user, "Require a second factor").isDisabled()).toBe(true);
        expect(await state()).toMatchObject({ required: false, can_require: false });
        await user.press(page.getByRole("link", { name: "Set up your second factor" }));
        await user.press(button(user, "Set up an authenticator app"));
        const secret = (await dialogOf(user).locator("code").first().textContent()) ?? "";
        const code = new TOTP({ secret }).generate();
        await user.type(dialogOf(user).getByLabel("Six digits of the app"), code);
        await user.press(inDialog(user, "Confirm"));
        await user.press(page.getByLabel("I have stored it"));
        await user.press(inDialog(user, "Done"));
        await dialogOf(user).waitFor({ state: "detached" });
        await user.go("Security");
        await expect.poll(() => button(user, "Require a second factor").isEnabled()).toBe(true);
        await user.press(button(user, "Require a second factor"));
        await user.press(inDialog(user, "Require a second factor"));
        await page.getByText("Required of all members").waitFor();
        expect(await state()).toMatchObject({ required: true, can_require: true });
        // A member without a factor still signs in, and can set one up.
        const member = await signInMember(`late-${way}@example.com`);
        expect((await member("GET", "/policies")).body.code).toBe("auth.second_factor_missing");
        expect((await member("POST", "/factors/totp")).status).toBe(200);
        // The next way begins without a factor too.
        const optional = await askOn(page, "PUT", "/api/account/second-factor", { required: false });
        expect(optional.status).toBe(200);
        expect((await askOn(page, "DELETE", "/api/factors/totp")).status).toBe(204);
      },
      { open: () => world.signIn() },
    );
  });
});

/** Sends a request to the dashboard's API. */
type Ask = (method: string, address: string, body?: object) => Promise<Answer>;

interface NewMember {
  readonly email: string;
  /** The password that the member must replace. */
  readonly initial: string;
}

/** Signs a new member in without a browser, with a password of their own. */
async function startSession(url: string, { email, initial }: NewMember): Promise<Ask> {
  let cookie = "";
  const ask: Ask = async (method, address, body) => {
    const headers: Record<string, string> = { origin: url };
    if (cookie !== "") headers.cookie = cookie;
    if (body) headers["content-type"] = "application/json";
    const answer = await fetch(`${url}/api${address}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const renewed = answer.headers.getSetCookie().map((one) => one.split(";", 1)[0]);
    if (renewed.length > 0) cookie = renewed.join("; ");
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  expect((await ask("POST", "/session", { email, password: initial })).status).toBeLessThan(300);
  const passwords = { current_password: initial, new_password: PASSWORD };
  expect((await ask("POST", "/session/password", passwords)).status).toBeLessThan(300);
  return ask;
}
