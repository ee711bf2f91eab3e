import path from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { startAlertmanager } from "../harness/alertmanager.ts";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { dmarcReport, dmarcRow, writeDmarc } from "../harness/dmarc-reports.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { button, createPageJobs, dialogOf, inDialog, type MostSteps, tabOf } from "../harness/page-jobs.ts";
import type { PageUser } from "../harness/page-users.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const alertmanager = tool("alertmanager");
const DAY_MS = 86_400_000;
/** An import of 200 domains takes more than a minute on a busy machine. */
const IMPORT_MS = 180_000;
const CLIENTS = 12;
const DOMAINS = 200;
const RECIPIENT = "oncall@example.com";

/** A page that needs more has become worse. */
const most: MostSteps = {
  "connect an Alertmanager and see the first alert": [4, 20],
  "make a rule of an unmatched alert, and try it against last week": [7, 130],
  "silence the backup host every Sunday from 2 to 4": [6, 60],
  "see who was notified of an incident and when": [2, 20],
  "swap two on-call shifts": [6, 90],
  "be told when a cron job does not report": [9, 40],
  "import 200 domains of 12 clients": [4, 20],
  "find the three repairs worth most for a client and mail the report": [4, 55],
  "share a report by link and revoke it": [8, 50],
  "see which sources fail DMARC this week": [2, 20],
};

describe.skipIf(browser.missing)(`ten jobs with alerts and watched domains${browser.note}`, () => {
  let dns: DnsServer;
  let world: DashboardWorld;
  let visit: Visit;
  const { job, report } = createPageJobs({
    most,
    visit: () => visit,
    home: () => `${world.url}/dashboard`,
  });

  beforeAll(async () => {
    dns = await startDnsServer({});
    world = await openDashboard({ HERMOD_DNS_SERVERS: dns.address });
    visit = await world.signIn();
    await storeRule("jobs", { field: "event_type", op: "eq", value: "heartbeat" });
    // A report that was revoked, and the page of a label asks whether there is one.
    visit.tolerate(/status of 404/);
  });
  afterAll(async () => {
    report();
    await world?.dispose();
    await dns?.close();
  });

  const ask = (method: string, address: string, body?: object) =>
    askOn(visit.page, method, `/api${address}`, body);
  const row = ({ page }: PageUser, text: string) => page.getByRole("row").filter({ hasText: text });
  const field = ({ page }: PageUser, name: string) => page.getByRole("textbox", { name, exact: true });

  async function reportAlert(alert: object): Promise<void> {
    const answer = await world.report(alert);
    expect(answer.ok).toBe(true);
  }

  async function storeRule(name: string, condition: object): Promise<void> {
    const match = [condition];
    const notify = { recipients: [RECIPIENT], from: world.hermod.firstRun.sender };
    expect((await ask("PUT", `/alert-rules/${name}`, { match, notify })).status).toBe(201);
  }

  describe.skipIf(alertmanager.missing)(`with an Alertmanager${alertmanager.note}`, () => {
    job("connect an Alertmanager and see the first alert", async (user, way) => {
      const { page } = user;
      /** The text of a code block. */
      const code = async (name: string) =>
        (await page.getByRole("region", { name, exact: true }).textContent()) ?? "";
      await user.begin();
      await user.go("Alerts");
      await user.press(page.getByRole("link", { name: "Set up a source" }));
      await user.press(page.getByRole("link", { name: "Prometheus Alertmanager" }));
      await user.press(button(user, "Create a key for it"));
      await page.getByText("Waiting for the first alert…").waitFor();
      const [, key = ""] = (await code("Command that stores the key")).match(/'(hm_live_[^']+)'/) ?? [];
      const config = await code("alertmanager.yml");
      const file = "/etc/alertmanager/hermod.key";
      const source = await startAlertmanager(
        (folder) => config.replace(file, path.join(folder, "hermod.key")),
        { "hermod.key": key },
      );
      try {
        await source.send({
          labels: { alertname: "DiskFull", severity: "critical", job: `node-of-${way}` },
          annotations: { summary: "/var is 97 % full" },
        });
        await page.getByText("Alerts of this key arrive.").waitFor();
      } finally {
        await source.stop();
      }
      const [{ alert }] = (await ask("GET", `/alerts?source=node-of-${way}`)).body.data;
      expect(alert).toMatchObject({ event_type: "DiskFull", severity: "critical" });
    });
  });

  job("make a rule of an unmatched alert, and try it against last week", async (user, way) => {
    const { page } = user;
    const message = `The certificate of ${way} expires`;
    await reportAlert({ event_type: `cert.${way}`, source: "probe", severity: "warning", message });
    await user.begin();
    await user.go("Alerts");
    await user.press(page.getByRole("link", { name: "Alerts without a rule" }));
    await user.press(page.getByRole("link", { name: message }));
    await user.press(page.getByRole("link", { name: "Make a rule of this" }));
    await user.type(field(user, "Name"), `certificates-${way}`);
    await user.press(button(user, "Try"));
    await row(user, message).getByText("Now matched").waitFor();
    await user.press(button(user, "Create"));
    await page.getByText("The rule is saved.").waitFor();
    const { settings } = (await ask("GET", `/alert-rules/certificates-${way}`)).body;
    expect(settings.match).toEqual([
      { field: "event_type", op: "eq", value: `cert.${way}` },
      { field: "source", op: "eq", value: "probe" },
      { field: "severity", op: "gte", value: "warning" },
    ]);
  });

  job("silence the backup host every Sunday from 2 to 4", async (user, way) => {
    const { page } = user;
    const host = `backup-${way}`;
    await user.begin();
    await user.go("Silences");
    await user.press(page.getByRole("link", { name: "Create a silence" }).first());
    const condition = page.getByRole("group", { name: "All of these, condition 1", exact: true });
    await user.type(condition.getByLabel("Value"), host);
    await user.press(page.getByRole("radio", { name: "Every week", exact: true }));
    await user.type(page.getByLabel("Reason"), "Weekly backup");
    await user.press(button(user, "Create"));
    await page.waitForURL("**/silences/sil_*");
    const [stored] = (await ask("GET", "/silences")).body.data;
    expect(stored).toMatchObject({
      match: [{ field: "source", op: "eq", value: host }],
      weekly: { windows: [{ days: [7], from: "02:00", to: "04:00" }] },
    });
    expect(stored.ends_at).toBeUndefined();
  });

  job("see who was notified of an incident and when", async (user, way) => {
    const { page } = user;
    const source = `node-${way}`;
    const message = `/var is full on ${way}`;
    await storeRule(source, { field: "source", op: "eq", value: source });
    await reportAlert({ event_type: "disk.full", source, severity: "critical", message });
    await eventually(async () => {
      const { data } = (await ask("GET", `/incidents?rule=${source}`)).body;
      return data[0]?.notices === 1 || undefined;
    });
    await user.begin();
    await user.go("Incidents");
    await user.press(page.getByRole("link", { name: message }));
    const notice = page.getByRole("listitem").filter({ hasText: `First notice. Sent to ${RECIPIENT}.` });
    await notice.getByRole("link", { name: "Message 1" }).waitFor();
    expect(await notice.locator("time").count()).toBe(1);
  });

  job("swap two on-call shifts", async (user, way) => {
    const { page } = user;
    const name = `team-of-${way}`;
    const [ada, bob] = ["ada@example.net", "bob@example.net"];
    const layer = {
      name: "Weekly",
      participants: [{ address: ada }, { address: bob }],
      starts_at: new Date(Date.now() - 30 * DAY_MS).toISOString(),
      time_zone: "Europe/Oslo",
      shift: { length: 1, unit: "day" },
      handover: { time: "09:00" },
    };
    const stored = { layers: [layer], fallback_recipients: [RECIPIENT] };
    expect((await ask("PUT", `/on-call-schedules/${name}`, stored)).status).toBe(201);
    await user.begin();
    await user.go("On-call");
    await user.press(page.getByRole("link", { name, exact: true }));
    const calendar = page.getByRole("region", { name: "Shifts" }).first();
    const shifts = (address: string) =>
      calendar.getByRole("button", { name: new RegExp(`^\\w+ ${address}, `) });
    // The last ones of the calendar have not begun.
    await user.press(shifts(ada).last());
    await user.press(inDialog(user, "Swap"));
    await page.getByText("Choose the shift to swap with.").waitFor();
    await user.press(shifts(bob).last());
    await user.press(inDialog(user, "Swap the shifts"));
    await page.getByText("The shifts are swapped.").waitFor();
    const { data } = (await ask("GET", `/on-call-schedules/${name}/overrides`)).body;
    const people = data.map(
      ({ person }: { readonly person: { readonly address: string } }) => person.address,
    );
    expect(people.toSorted()).toEqual([ada, bob]);
  });

  job("be told when a cron job does not report", async (user, way) => {
    const { page } = user;
    const name = `nightly backup by ${way}`;
    await user.begin();
    await user.go("Heartbeats");
    await user.press(page.getByRole("link", { name: "Create a heartbeat" }).first());
    await user.type(field(user, "Name"), name);
    await user.press(page.getByRole("radio", { name: "By a cron expression" }));
    await user.type(field(user, "Cron expression"), "5 2 * * *");
    await user.press(button(user, "Create"));
    const url = (await dialogOf(user).locator("code").last().textContent()) ?? "";
    await user.press(dialogOf(user).getByRole("checkbox", { name: "I have stored it" }));
    await user.press(inDialog(user, "Done"));
    await page.getByText("Waiting for the first ping…").waitFor();
    expect((await fetch(url)).status).toBe(200);
    await page.getByText("The last success ping came at").waitFor();
    await user.press(tabOf(user, "Overview"));
    await page.getByText("These rules notify the alert:").waitFor();
    await page.getByRole("link", { name: "jobs", exact: true }).waitFor();
    const source = (await ask("GET", "/heartbeats")).body.data.find(
      (one: { readonly name: string }) => one.name === name,
    );
    expect(source).toMatchObject({ cron: "5 2 * * *", state: "up" });
  });

  job(
    "import 200 domains of 12 clients",
    async (user, way) => {
      const { page } = user;
      const rows = Array.from(
        { length: DOMAINS },
        (_, at) => `Client ${at % CLIENTS} by ${way};shop-${at}.${way}.example.com`,
      );
      const buffer = Buffer.from(["Customer;Domain", ...rows].join("\r\n"));
      await user.begin();
      await user.go("Clients");
      await user.press(page.getByRole("link", { name: "Import domains" }).first());
      const chooser = page.waitForEvent("filechooser");
      await user.press(page.getByRole("button", { name: "CSV file" }));
      await (await chooser).setFiles({ name: "domains.csv", mimeType: "text/csv", buffer });
      await page.getByText("200 new domains with 12 new clients, 0 already there, 0 rows refused.").waitFor();
      await user.press(button(user, "Import 200 domains"));
      await page
        .getByText("200 domains imported, 0 already there, 0 failed.")
        .waitFor({ timeout: IMPORT_MS });
    },
    { timeoutMs: IMPORT_MS + 120_000 },
  );

  job("see which sources fail DMARC this week", async (user, way) => {
    const name = `shop-3.${way}.example.com`;
    await uploadReport(name, { ip: way === "mouse" ? "203.0.113.5" : "192.0.2.5" });
    await user.begin();
    await user.go("DMARC sources");
    await user.press(button(user, "Only sources that fail"));
    const source = way === "mouse" ? "203.0.113.0/24" : "192.0.2.0/24";
    await row(user, source).getByText("4 (100 %)").waitFor();
    expect(await row(user, "198.51.100.0/24").count()).toBe(0);
  });

  /** A report about yesterday: 40 messages of one source pass, and 4 of another one fail. */
  async function uploadReport(domain: string, { ip }: { readonly ip: string }): Promise<void> {
    const [watched] = (await ask("GET", `/intel/domains?name=${domain}`)).body.data;
    const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const fail = { dkimAligned: false, spfAligned: false, dkim: [], disposition: "quarantine" } as const;
    const content = writeDmarc(
      dmarcReport({
        reportId: `of-${domain}`,
        begin: new Date(`${day}T00:00:00Z`),
        end: new Date(`${day}T23:59:59Z`),
        policy: { domain, adkim: "r", aspf: "r", p: "none", sp: "none", pct: 100 },
        rows: [
          dmarcRow({ sourceIp: "198.51.100.7", count: 40 }),
          dmarcRow({ sourceIp: ip, count: 4, ...fail }),
        ],
      }),
    );
    const body = { content: Buffer.from(content).toString("base64") };
    const uploaded = await ask("POST", `/intel/domains/${watched.id}/reports`, body);
    expect(uploaded.body.reports).toMatchObject([{ outcome: "counted" }]);
  }

  job("find the three repairs worth most for a client and mail the report", async (user, way) => {
    const { page } = user;
    const name = `Nordwind of ${way}`;
    const contact = `it-${way}@nordwind.example`;
    const client = (await ask("POST", "/intel/clients", { name, contact_emails: [contact] })).body;
    const domain = { client_id: client.id, name: `nordwind-${way}.example.com` };
    const { id } = (await ask("POST", "/intel/domains", domain)).body;
    await eventually(async () => {
      const { checked_at: at } = (await ask("GET", `/intel/domains/${id}`)).body;
      return at ?? undefined;
    });
    await user.begin();
    await user.go("Clients");
    await user.press(page.getByRole("link", { name, exact: true }));
    const repairs = page.getByRole("region", { name: "Repair first", exact: true }).first();
    await repairs.getByRole("row").nth(3).waitFor();
    const { data } = (await ask("GET", `/intel/findings?client_id=${client.id}`)).body;
    const texts = await repairs.getByRole("row").allTextContents();
    const best = data.slice(0, 3).map(({ title }: { readonly title: string }) => title);
    expect(texts.slice(1, 4)).toEqual(best.map((title: string) => expect.stringContaining(title)));
    await user.press(button(user, "Mail the report"));
    await dialogOf(user).getByText(contact).waitFor();
    await user.press(inDialog(user, "Mail it now"));
    await dialogOf(user).getByText("The report is mailed to 1 recipient.").waitFor();
    const { data: schedules } = (await ask("GET", "/intel/schedules")).body;
    const own = schedules.find(
      ({ scope }: { readonly scope: { readonly id: string } }) => scope.id === client.id,
    );
    const { message } = (await ask("GET", `/messages/${own.last_run.message_ids[0]}`)).body;
    expect(message.recipient).toBe(contact);
  });

  job("share a report by link and revoke it", async (user, way) => {
    const { page } = user;
    const client = `Client 7 by ${way}`;
    const { data } = (await ask("GET", "/intel/clients?limit=100")).body;
    const { id } = data.find((one: { readonly name: string }) => one.name === client);
    const scope = { type: "client", id };
    const made = await ask("POST", "/intel/reports", { scope });
    expect(made.status).toBeLessThan(300);
    await eventually(async () => {
      const { state } = (await ask("GET", `/intel/reports/${made.body.id}`)).body;
      return state === "ready" || undefined;
    });
    await user.begin();
    await user.go("Reports");
    await user.press(page.getByRole("link", { name: client }));
    await user.press(button(user, "Share by link"));
    await user.type(dialogOf(user).getByLabel("Note"), "For the board");
    await user.press(inDialog(user, "Create the link"));
    const link = (await dialogOf(user).locator("code").textContent()) ?? "";
    expect((await fetch(link)).status).toBe(200);
    await user.press(inDialog(user, "Done"));
    await user.press(button(user, "Revoke: For the board"));
    await user.press(inDialog(user, "Revoke"));
    await row(user, "For the board").getByText("Revoked").waitFor();
    expect((await fetch(link)).status).toBe(404);
  });
});
