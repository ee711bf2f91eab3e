import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { publishedZones } from "../harness/domain-records.ts";
import { type FakeRelay, smtpReply, startFakeRelay } from "../harness/fake-relay.ts";
import { button, createPageJobs, inDialog, type MostSteps } from "../harness/page-jobs.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

/** A page that needs more has become worse. */
const most: MostSteps = {
  "first mail": [1, 30],
  "why did one bounce": [3, 36],
  "rotate a key without an outage": [6, 45],
  "verify a domain": [4, 45],
  "mail to one provider that was deferred today": [4, 32],
  "unsuppress an address": [4, 36],
  "export last week": [5, 50],
  "who used this key": [2, 36],
  "what did the API answer at 14:02": [2, 25],
  "sign in on a phone": [3, 6],
};

describe.skipIf(browser.missing)(`ten jobs of a new user${browser.note}`, () => {
  let world: DashboardWorld;
  let dns: DnsServer;
  let relay: FakeRelay;
  let visit: Visit;

  beforeAll(async () => {
    dns = await startDnsServer({});
    relay = await startFakeRelay();
    world = await openDashboard({
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_SPF_TERMS: "include:_spf.hermod.test",
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    });
    const servers = [{ host: "127.0.0.1", port: relay.port }];
    const transports = [{ kind: { case: "smtp" as const, value: { servers, tls: "none" } } }];
    await world.hermod.core.policies.putPolicy({ policy: { name: "relay", transports } });
    visit = await world.signIn();
  });
  afterAll(async () => {
    report();
    await world?.dispose();
    await relay?.close();
    await dns?.close();
  });

  const { job, report } = createPageJobs({
    most,
    visit: () => visit,
    home: () => `${world.url}/dashboard`,
  });
  const core = () => world.hermod.core;
  const reached = (id: string, state: string) =>
    eventually(async () => {
      const { message } = await core().messages.getMessage({ id });
      return message?.state === state ? message : undefined;
    });
  const statusOf = async (key: string) => (await world.sendWith(key)).status;

  job("first mail", async (user) => {
    // The sign-in of an account that has sent nothing leads here.
    await user.begin("/start");
    await user.press(button(user, "Send"));
    await user.page.getByText("Captured in the sandbox. It was not sent to the recipient.").waitFor();
  });

  job("why did one bounce", async (user, way) => {
    relay.answerRecipient(() => smtpReply(550, "5.1.1 No such user"));
    const to = `gone-${way}@fabrikam.example`;
    await reached(await world.send({ to, routing_policy: "relay" }), "bounced");
    relay.answerRecipient(undefined);
    await user.begin();
    await user.go("Messages");
    await user.type(user.page.getByRole("searchbox", { name: "Search messages" }), to);
    await user.page.waitForURL(/q=/);
    await user.press(user.page.getByRole("link", { name: to }).first());
    await user.page.getByText("Refused by the recipient's server. Hermod does not try again.").waitFor();
    await user.page
      .getByText(/5\.1\.1 No such user/)
      .first()
      .waitFor();
  });

  job("rotate a key without an outage", async (user, way) => {
    const { secret: former } = await core().keys.createKey({ name: `shop ${way}` });
    await user.begin();
    await user.go("API keys");
    await user.press(user.page.getByRole("link", { name: `shop ${way}`, exact: true }));
    await user.press(button(user, "Replace"));
    await user.press(inDialog(user, "Replace"));
    const next = (await user.page.getByRole("dialog").locator("code").first().textContent()) ?? "";
    await user.press(user.page.getByLabel("I have stored it"));
    await user.press(inDialog(user, "Done"));
    expect([await statusOf(former), await statusOf(next)]).toEqual([202, 202]);
  });

  job("verify a domain", async (user, way) => {
    const name = `${way}.example.org`;
    await user.begin();
    await user.go("Domains");
    await user.press(button(user, "Add a domain"));
    await user.type(user.page.getByRole("dialog").getByRole("textbox", { name: "Domain" }), name);
    await user.press(inDialog(user, "Add a domain"));
    await user.page.waitForURL(`**/domains/${name}`);
    const { domain } = await core().domains.getDomain({ domain: name });
    dns.serve(publishedZones(domain as Domain));
    await user.press(button(user, "Check now"));
    await user.page.getByText("You can send from addresses of this domain.").waitFor();
    expect((await core().domains.getDomain({ domain: name })).domain).toMatchObject({ status: "verified" });
  });

  job("mail to one provider that was deferred today", async (user, way) => {
    relay.answerRecipient(() => smtpReply(451, "4.7.1 Greylisted"));
    const id = await world.send({ to: `late-${way}@greylist.example`, routing_policy: "relay" });
    await reached(id, "deferred");
    relay.answerRecipient(undefined);
    await user.begin();
    await user.go("Messages");
    await user.type(
      user.page.getByRole("searchbox", { name: "Search messages" }),
      "state:deferred to:@greylist.example",
    );
    await user.press(user.page.getByRole("button", { name: /^Accepted any time/ }));
    await user.press(user.page.getByRole("button", { name: "Last 24 hours" }));
    await user.page.waitForURL(/from=/);
    await user.page.getByText(`late-${way}@greylist.example`).first().waitFor();
  });

  job("unsuppress an address", async (user, way) => {
    const address = `back-${way}@example.org`;
    await core().suppressions.addSuppression({ address, reason: "manual" });
    await user.begin();
    await user.go("Suppressions");
    await user.type(user.page.getByRole("searchbox", { name: "Address" }), address);
    await user.page.waitForURL(/address=/);
    await user.press(button(user, `Remove ${address}`));
    await user.press(inDialog(user, "Remove"));
    await user.page.getByText("No address matches these filters").waitFor();
  });

  job("export last week", async (user) => {
    await user.begin();
    await user.go("Messages");
    await user.press(user.page.getByRole("button", { name: /^Accepted any time/ }));
    await user.press(user.page.getByRole("button", { name: "Last 7 days" }));
    await user.page.waitForURL(/from=/);
    await user.press(button(user, "Export"));
    const download = user.page.waitForEvent("download");
    await user.choose("As CSV");
    const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
    expect(lines.length).toBeGreaterThan(1);
  });

  job("who used this key", async (user, way) => {
    const name = `used ${way}`;
    const { secret, key } = await core().keys.createKey({ name });
    expect(await statusOf(secret)).toBe(202);
    await eventually(async () => (await core().keys.getKey({ key: key?.id ?? "" })).key?.lastUsedAt);
    await user.begin();
    await user.go("API keys");
    await user.press(user.page.getByRole("link", { name, exact: true }));
    await user.page
      .getByText(/by HTTP from 127\.0\.0\.1/)
      .first()
      .waitFor();
  });

  job("what did the API answer at 14:02", async (user) => {
    await fetch(`${world.url}/v1/email/send`, {
      method: "POST",
      headers: { "x-api-key": world.hermod.firstRun.api_key, "content-type": "application/json" },
      body: JSON.stringify({ from: "nobody" }),
    });
    await eventually(async () => {
      const { requests } = await core().requests.listRequests({});
      return requests.some(({ status }) => status === 422) || undefined;
    });
    await user.begin();
    await user.go("Request log");
    const minute = await user.page.evaluate<string>(
      "new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 16)",
    );
    await user.type(user.page.locator("input[type=datetime-local]"), minute);
    await user.page.waitForURL(/from=/);
    await user.page.getByText("request.validation_failed").first().waitFor();
  });

  job(
    "sign in on a phone",
    async (user, _way, phone) => {
      await user.begin("/sign-in");
      await user.type(user.page.getByLabel("Email address"), world.hermod.firstRun.dashboard.email);
      await user.type(user.page.locator("input[type=password]"), world.password);
      await user.press(button(user, "Sign in"));
      await user.page.getByRole("button", { name: "Open menu" }).waitFor();
      expect(await phone.overflow()).toBe(0);
    },
    { open: () => world.visit({ width: 360, height: 740 }) },
  );
});
