import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { dmarcReport, dmarcRow, writeDmarc } from "../harness/dmarc-reports.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { pngOf } from "../harness/png.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const DAY_MS = 86_400_000;
const CLIENTS = 12;
const DOMAINS = 200;

/** 200 domains of 12 clients, and three rows that cannot be imported. */
const csv = [
  "Customer;Domain;IPs;Unread",
  ...Array.from({ length: DOMAINS }, (_, at) => `Client ${at % CLIENTS};shop-${at}.example.com;;x`),
  "Client 1;co.uk;;",
  "Client 1;late.example.com;10.0.0.300;",
  ";nobody.example.com;;",
].join("\r\n");

describe.skipIf(browser.missing)(`domains of many clients${browser.note}`, () => {
  let dns: DnsServer;
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);

  beforeAll(async () => {
    dns = await startDnsServer({});
    world = await openDashboard({ HERMOD_DNS_SERVERS: dns.address });
    visit = await world.signIn("/intel/import");
    page = visit.page;
  });
  afterAll(async () => {
    await world?.dispose();
    await dns?.close();
  });

  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  const more = async (name: string) => {
    await button("More").click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const domainOf = async (name: string) =>
    (await ask("GET", `/intel/domains?name=${name}`)).body.data[0] as { id: string; client_id: string };
  const choose = (text: string) =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name: "domains.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

  it("imports 200 domains of 12 clients after a preview, which changes nothing", async () => {
    await expectAccessible();
    await choose(csv);
    await page.getByText("200 new domains with 12 new clients, 0 already there, 3 rows refused.").waitFor();
    await page.getByText("These columns are not read: Unread.").waitFor();
    await button(/^Result/).click();
    await page.getByRole("menuitemcheckbox", { name: "Refused" }).click();
    await row("co.uk").getByText("domain: ").waitFor();
    await row("late.example.com").getByText("sending_ips: ").waitFor();
    await row("nobody.example.com").getByText("client: ").waitFor();
    expect(await page.getByRole("row").count()).toBe(4);
    await expectAccessible();
    expect((await ask("GET", "/intel/domains")).body.data).toEqual([]);
    await button("Import 200 domains").dblclick();
    // A busy machine takes more than a minute.
    await page.getByText("200 domains imported, 0 already there, 0 failed.").waitFor({ timeout: 150_000 });
    await expectAccessible();
    const imports = (await ask("GET", "/jobs?kind=watched_domain.import")).body.data;
    expect(imports.map(({ done }: { done: number }) => done)).toEqual([DOMAINS]);
    const clients = (await ask("GET", "/intel/clients?limit=100")).body.data;
    expect(clients.map(({ counts }: { counts: { domains: number } }) => counts.domains)).toEqual(
      Array.from({ length: CLIENTS }, () =>
        expect.toSatisfy((count: number) => count === 16 || count === 17),
      ),
    );
    await page.reload();
    await page.getByText("200 domains imported, 0 already there, 0 failed.").waitFor();
  });

  it("saves the refused rows, and adds nothing for a file that was imported", async () => {
    await page.getByRole("link", { name: "Import another file" }).click();
    await choose(csv);
    await page.getByText("No row adds a domain. Correct the file, then choose it again.").waitFor();
    expect(await button(/^Import /).count()).toBe(0);
    const saved = page.waitForEvent("download");
    await button("Save the refused rows").click();
    const lines = (await readFile(await (await saved).path(), "utf8")).trim().split("\r\n");
    expect(lines[0]).toBe("row,domain,column,reason");
    expect(lines.slice(1).map((line) => line.split(",").slice(0, 3))).toEqual([
      ["202", "co.uk", "domain"],
      ["203", "late.example.com", "sending_ips"],
      ["204", "nobody.example.com", "client"],
    ]);
    visit.tolerate(/Failed to load resource.*422/);
    await choose("name-of-nothing\r\nx");
    await page.getByRole("alert").waitFor();
  });

  it("shows which sources fail DMARC this week, by source and by day", async () => {
    await open("/intel/dmarc");
    await page.getByText("No DMARC reports in these days").waitFor();
    await expectAccessible();
    const domain = await domainOf("shop-3.example.com");
    const fail = { dkimAligned: false, spfAligned: false, dkim: [], disposition: "quarantine" };
    for (const days of [1, 2]) {
      const day = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
      const report = dmarcReport({
        reportId: `of-${day}`,
        begin: new Date(`${day}T00:00:00Z`),
        end: new Date(`${day}T23:59:59Z`),
        policy: { domain: "shop-3.example.com", adkim: "r", aspf: "r", p: "none", sp: "none", pct: 100 },
        rows: [
          dmarcRow({ sourceIp: "198.51.100.7", count: 40 }),
          dmarcRow({ sourceIp: "203.0.113.5", count: 4 * days, ...fail }),
        ],
      });
      const content = Buffer.from(writeDmarc(report)).toString("base64");
      const uploaded = await ask("POST", `/intel/domains/${domain.id}/reports`, { content });
      expect(uploaded.body.reports).toMatchObject([{ outcome: "counted" }]);
    }
    await page.reload();
    await page.getByText("12 of 92 messages fail DMARC.").waitFor();
    await row("198.51.100.0/24").waitFor();
    await page.getByText("As a table").click();
    await page.getByRole("region", { name: "Messages by day" }).getByRole("row").nth(6).waitFor();
    await expectAccessible();
    await button("Only sources that fail").click();
    await row("198.51.100.0/24").waitFor({ state: "detached" });
    await row("203.0.113.0/24").getByText("12 (100 %)").waitFor();
    expect(new URL(page.url()).searchParams.get("result")).toBe("fail");
    await button("203.0.113.0/24: by day").click();
    await page.getByText("Sent to quarantine").waitFor();
    await page.getByText("8 messages, 8 fail", { exact: true }).waitFor();
    await expectAccessible();
  });

  it("filters the sources by client, domain and day in the address", async () => {
    await open("/intel/dmarc");
    const pick = async (field: string, text: string, option: string) => {
      await page.getByRole("combobox", { name: field }).fill(text);
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await pick("Client", "Client 4", "Client 4");
    await page.getByText("No report matches these filters").waitFor();
    await pick("Domain", "shop-3", "shop-3.example.com");
    await page.getByText("12 of 92 messages fail DMARC.").waitFor();
    const { id } = await domainOf("shop-3.example.com");
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ domain_id: id });
    await page.reload();
    const field = page.getByRole("combobox", { name: "Domain" });
    await expect.poll(() => field.inputValue()).toBe("shop-3.example.com");
    await page.getByText("As a table").click();
    await page.getByRole("region", { name: "Messages by day" }).getByRole("button").nth(5).click();
    await page.getByText("4 of 44 messages fail DMARC.").waitFor();
    await button(/^Clear: Day/).click();
    await page.getByText("12 of 92 messages fail DMARC.").waitFor();
    await expectAccessible();
  });

  it("labels the reports of a workspace with a name, a color and a logo, after a preview", async () => {
    // The page of a label asks whether there is one.
    visit.tolerate(/404.*\/labels\//);
    await open("/intel/labels");
    await page.getByText("No labels yet").waitFor();
    await expectAccessible();
    await button("Label of the workspace").click();
    await page.getByRole("heading", { level: 1, name: "Label of Default" }).waitFor();
    await page.getByLabel("Issuer").fill("Acme Agency");
    await page.getByRole("textbox", { name: "Color", exact: true }).fill("#ffee00");
    const buffer = pngOf({ width: 40, height: 20 });
    await page.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
    await page.getByText("This color is not readable as text on white.").waitFor();
    await page.frameLocator("iframe").getByText("Acme Agency").first().waitFor();
    await expectAccessible();
    expect((await ask("GET", "/intel/labels")).body.data).toEqual([]);
    await button("Save").click();
    await page.getByText("The label is saved.").waitFor();
    await expect
      .poll(async () => (await ask("GET", "/intel/labels")).body.data)
      .toMatchObject([{ name: "Acme Agency", color: "#ffee00", logo: { width: 40, height: 20 } }]);
    await page.getByRole("img", { name: "The logo" }).waitFor();
    await page.getByRole("link", { name: "Labels of reports" }).click();
    await row("Acme Agency").getByText("40 × 20 pixels").waitFor();
    await expectAccessible();
  });

  it("creates a report about a client, opens it in place, and saves it as PDF, HTML and JSON", async () => {
    await open("/intel/reports");
    await page.getByText("No reports yet").waitFor();
    await expectAccessible();
    await button("Create a report").click();
    await page.getByText("Client", { exact: true }).last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Client" }).fill("Client 7");
    await page.getByRole("option", { name: "Client 7", exact: true }).click();
    await expectAccessible();
    await inDialog("Create").dblclick();
    await page.waitForURL(/\/intel\/reports\/rpt_\w+$/);
    await page.getByRole("heading", { level: 1, name: "Client 7" }).waitFor();
    await page.frameLocator("iframe").getByText("shop-7.example.com").first().waitFor();
    await page.frameLocator("iframe").getByText("Acme Agency").first().waitFor();
    await expectAccessible();
    expect((await ask("GET", "/intel/reports")).body.data.length).toBe(1);
    for (const [name, begins] of [
      ["Save as PDF", "%PDF-"],
      ["Save as HTML", "<!doctype html>"],
      ["Save as JSON", "{"],
    ] as const) {
      const saved = page.waitForEvent("download");
      if (name === "Save as PDF") await button(name).click();
      else await more(name);
      const file = await readFile(await (await saved).path());
      expect([name, file.subarray(0, begins.length).toString().toLowerCase()]).toEqual([
        name,
        begins.toLowerCase(),
      ]);
    }
    await page.getByRole("link", { name: "Reports", exact: true }).first().click();
    await row("Client 7").waitFor();
    await open("/intel/reports?scope_type=domain");
    await page.getByText("No report matches these filters").waitFor();
  });

  it("shares a report by a link, which opens without a session until it is revoked", async () => {
    await open("/intel/reports");
    await page.getByRole("link", { name: "Client 7" }).click();
    await button("Share by link").click();
    await expectAccessible();
    await page.getByLabel("Note").fill("For the board");
    await inDialog("Create the link").click();
    const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await expectAccessible();
    await inDialog("Done").click();
    await row("For the board").getByText("Active").waitFor();
    await expectAccessible();
    const shared = await fetch(link);
    expect([shared.status, (await shared.text()).includes("shop-7.example.com")]).toEqual([200, true]);
    await page.reload();
    await expect.poll(() => row("For the board").getByRole("cell").nth(3).textContent()).toBe("1");
    expect(await page.content()).not.toContain(new URL(link).pathname.split("/").at(-1));
    await button("Revoke: For the board").click();
    await expectAccessible();
    await inDialog("Revoke").click();
    await row("For the board").getByText("Revoked").waitFor();
    expect((await fetch(link)).status).toBe(404);
    expect(await button(/^Revoke: /).count()).toBe(0);
  });

  it("mails a report by a schedule, at once and every week, and pauses and removes the schedule", async () => {
    await open("/intel/schedules");
    await page.getByText("No schedules yet").waitFor();
    await expectAccessible();
    await button("Add a schedule").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Weekly report");
    await dialog.getByRole("combobox", { name: "Client" }).fill("Client 7");
    await page.getByRole("option", { name: "Client 7", exact: true }).click();
    await dialog
      .getByLabel(/^Recipients/)
      .first()
      .fill("board@example.com");
    await page.keyboard.press("Enter");
    await dialog
      .getByLabel(/^Sender/)
      .first()
      .fill("nobody@example.net");
    await inDialog("Create").click();
    await dialog.getByRole("alert").first().waitFor();
    visit.tolerate(/Failed to load resource.*4\d\d/);
    await dialog
      .getByLabel(/^Sender/)
      .first()
      .fill(world.hermod.firstRun.sender);
    await page.keyboard.press("Escape");
    await expectAccessible();
    await inDialog("Create").dblclick();
    await row("Weekly report").getByText("Client, to board@example.com").waitFor();
    expect((await ask("GET", "/intel/schedules")).body.data.length).toBe(1);
    const act = async (name: string) => {
      await button("More: Weekly report").click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    await act("Mail a report now");
    await expectAccessible();
    await inDialog("Mail a report now").click();
    await row("Weekly report").getByText("Sent", { exact: true }).waitFor();
    await expectAccessible();
    const [schedule] = (await ask("GET", "/intel/schedules")).body.data;
    const [id] = schedule.last_run.message_ids;
    expect((await ask("GET", `/messages/${id}`)).body.message.recipient).toBe("board@example.com");
    await act("Pause");
    await row("Weekly report").getByText("Paused").waitFor();
    await act("Change the schedule");
    const client = dialog.getByRole("combobox", { name: "Client" });
    await expect.poll(() => client.inputValue()).toBe("Client 7");
    await dialog.getByLabel("Name").fill("Report for the board");
    await inDialog("Save").click();
    await row("Report for the board").getByText("Paused").waitFor();
    const [changed] = (await ask("GET", "/intel/schedules")).body.data;
    expect([changed.paused, changed.recipients]).toEqual([true, ["board@example.com"]]);
    await button("More: Report for the board").click();
    await page.getByRole("menuitem", { name: "Remove the schedule" }).click();
    await inDialog("Remove the schedule").click();
    await page.getByText("No schedules yet").waitFor();
    await open("/intel/reports");
    await page.getByRole("link", { name: "Client 7" }).first().click();
    await page.frameLocator("iframe").getByText("shop-7.example.com").first().waitFor();
  });

  it("removes a report after a question", async () => {
    await more("Remove the report");
    await expectAccessible();
    await inDialog("Remove the report").click();
    await page.waitForURL(/\/intel\/reports$/);
    await expect.poll(async () => (await ask("GET", "/intel/reports")).body.data.length).toBe(1);
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
  });

  it("shows the entries at blacklists, their history, and the health of the lists", async () => {
    await open("/intel/blacklists");
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("No entry has begun or ended yet").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Lists", exact: true }).click();
    await row("Spamhaus ZEN").getByText("The operator has not enabled it.").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "SpamCop", exact: true }).click();
    await button("Clear: List spamcop").waitFor();
    await page.getByText("No entry matches these filters").waitFor();
    await expectAccessible();
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const lists = ["/intel/blacklists", "/intel/blacklists?tab=past", "/intel/blacklists?tab=lists"];
    const sources = ["/intel/dmarc", "/intel/dmarc?result=fail&days=90"];
    for (const path of [
      "/intel/import",
      ...sources,
      ...lists,
      "/intel/reports",
      "/intel/schedules",
      "/intel/labels",
    ]) {
      await open(path);
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
