import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { createMouseUser, type PageUser } from "../harness/page-users.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

const nullMx = { MX: ["0 ."], ttl: 1 };
/** Two domains of Nordwind without DMARC and with a weak SPF record, and a parked domain of Südwind. */
const zones: DnsZones = {
  "shop.example.com": { ...nullMx, TXT: ["v=spf1 +all"] },
  "blog.example.com": { ...nullMx, TXT: ["v=spf1 ptr ?all"] },
  "parked.example.com": { ...nullMx, TXT: ["v=spf1 -all"] },
  "_dmarc.parked.example.com": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@parked.example.com"], ttl: 1 },
};

describe.skipIf(browser.missing)(`workspaces and clients${browser.note}`, () => {
  let dns: DnsServer;
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let user: PageUser;
  let nordwind: string;
  /** Id of `shop.example.com`. */
  let shop: string;

  const ask = async (method: string, path: string, body?: object) =>
    (await askOn(page, method, `/api${path}`, body)).body;

  beforeAll(async () => {
    dns = await startDnsServer(zones);
    world = await openDashboard({ HERMOD_DNS_SERVERS: dns.address });
    visit = await world.signIn("/intel/clients");
    page = visit.page;
    user = createMouseUser({ page, home: `${world.url}/dashboard` });
  });
  afterAll(async () => {
    await world?.dispose();
    await dns?.close();
  });

  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const row = (text: string | RegExp) => page.getByRole("row").filter({ hasText: text });
  const card = (name: string) => page.getByRole("region", { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const act = async (name: string) => {
    await button("More").click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const clientOf = (id: string) => ask("GET", `/intel/clients/${id}`);
  const add = (client_id: string, name: string, role = "sending") =>
    ask("POST", "/intel/domains", { client_id, name, role });
  const areChecked = () =>
    eventually(async () => {
      const { data } = await ask("GET", "/intel/domains");
      return data.every(({ checked_at: at }: { checked_at: string | null }) => at !== null) || undefined;
    });

  it("creates a client by keyboard, and refuses a second one of the same name", async () => {
    await page.getByText("No clients yet").waitFor();
    await expectAccessible();
    await button("Create a client").focus();
    await page.keyboard.press("Enter");
    await dialog().getByLabel("Name").fill("Nordwind");
    await dialog().getByLabel("Contacts").first().fill("it@nordwind.example");
    await page.keyboard.press("Enter");
    await expectAccessible();
    await inDialog("Create").press("Enter");
    await page.getByRole("heading", { level: 1, name: "Nordwind" }).waitFor();
    await page.getByText("The client Nordwind is created.").waitFor();
    await page.getByText("No watched domains yet").first().waitFor();
    await expectAccessible();
    nordwind = page.url().split("/").at(-1) ?? "";
    expect(await clientOf(nordwind)).toMatchObject({ contact_emails: ["it@nordwind.example"] });
    visit.tolerate(/Failed to load resource.*4\d\d/);
    await page.getByRole("link", { name: "Clients", exact: true }).last().click();
    await button("Create a client").click();
    await dialog().getByLabel("Name").fill("nordwind");
    await inDialog("Create").click();
    await dialog().getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
  });

  it("finds clients by name and state, and keeps the filters in the address", async () => {
    const { id } = await ask("POST", "/intel/clients", { name: "Südwind", tags: ["retail"] });
    ({ id: shop } = await add(nordwind, "shop.example.com"));
    await add(nordwind, "blog.example.com");
    await add(id, "parked.example.com", "parked");
    await areChecked();
    await open("/intel/clients");
    await row("Nordwind").getByText("critical").waitFor();
    expect(await row("Nordwind").getByRole("cell").nth(2).textContent()).toBe("2");
    await row("Südwind").getByText("Healthy").waitFor();
    await expectAccessible();
    await page.getByRole("searchbox", { name: "Search clients" }).fill("süd");
    await row("Nordwind").waitFor({ state: "detached" });
    await page.reload();
    await row("Südwind").waitFor();
    expect(await row("Nordwind").count()).toBe(0);
    await button("Clear filters").click();
    await row("Nordwind").waitFor();
    await button(/^State/).click();
    await page.getByRole("menuitemcheckbox", { name: "Archived" }).click();
    await page.getByText("No client matches these filters").waitFor();
  });

  it("shows the three repairs worth most for a client and mails the report in four clicks", async () => {
    await user.begin();
    await user.go("Clients");
    await user.press(page.getByRole("link", { name: "Nordwind", exact: true }));
    const repairs = card("Repair first").first();
    await repairs.getByRole("row").nth(3).waitFor();
    const found = (await ask("GET", `/intel/findings?client_id=${nordwind}`)).data.slice(0, 3);
    const texts = await repairs.getByRole("row").allTextContents();
    expect(texts.slice(1)).toEqual(
      found.map(({ title, domain_count: count, gain }: Record<string, unknown>) =>
        expect.stringMatching(new RegExp(`^${title}.*${count}\\+${gain}$`)),
      ),
    );
    await user.press(button("Mail the report"));
    await dialog().getByText("it@nordwind.example").waitFor();
    await expect
      .poll(() => dialog().getByRole("combobox", { name: "Sender" }).inputValue())
      .toBe(world.hermod.firstRun.sender);
    await expectAccessible();
    await user.press(inDialog("Mail it now"));
    await dialog().getByText("The report is mailed to 1 recipient.").waitFor({ timeout: 60_000 });
    expect(user.steps).toBe(4);
    await expectAccessible();
    const [schedule] = (await ask("GET", "/intel/schedules")).data;
    expect(schedule).toMatchObject({ paused: true, scope: { type: "client", id: nordwind } });
    const [message] = schedule.last_run.message_ids;
    const { recipient } = (await ask("GET", `/messages/${message}`)).message;
    expect(recipient).toBe("it@nordwind.example");
    await dialog().getByRole("link", { name: "Report", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Nordwind" }).waitFor();
  });

  it("mails a report again by the same schedule, and by another one every month", async () => {
    await open(`/intel/clients/${nordwind}`);
    await button("Mail the report").click();
    await expect
      .poll(() => dialog().getByRole("combobox", { name: "Sender" }).inputValue())
      .toBe(world.hermod.firstRun.sender);
    await inDialog("Mail it now").dblclick();
    await dialog().getByText("The report is mailed to 1 recipient.").waitFor({ timeout: 60_000 });
    await inDialog("Done").click();
    expect((await ask("GET", "/intel/schedules")).data).toHaveLength(1);
    await button("Mail the report").click();
    await dialog().getByText("Last month").click();
    await dialog().getByLabel("Mail it on the first day of every month from now on").check();
    await dialog().getByRole("combobox", { name: "Sender" }).fill("nobody@example.net");
    await page.keyboard.press("Escape");
    await inDialog("Mail it now").click();
    await dialog().getByRole("alert").waitFor();
    expect((await ask("GET", "/intel/schedules")).data).toHaveLength(1);
    await dialog().getByRole("combobox", { name: "Sender" }).fill(world.hermod.firstRun.sender);
    await page.keyboard.press("Escape");
    await inDialog("Mail it now").click();
    await dialog().getByText("The report is mailed to 1 recipient.").waitFor({ timeout: 60_000 });
    const { data } = await ask("GET", "/intel/schedules");
    expect(data.map(({ cadence, paused }: Record<string, unknown>) => [cadence, paused])).toEqual([
      ["weekly", true],
      ["monthly", false],
    ]);
    await inDialog("Done").click();
  });

  it("opens a repair to the domains that need it, with the record to publish", async () => {
    await open(`/intel/clients/${nordwind}`);
    const title = "There is a DMARC record";
    const repairs = card("Repair first").first();
    await button(title).click();
    expect(new URL(page.url()).searchParams.get("check")).toBe("auth.dmarc.exists");
    await page.reload();
    await repairs.getByText("_dmarc.shop.example.com", { exact: true }).waitFor();
    await repairs.getByText("_dmarc.blog.example.com", { exact: true }).waitFor();
    await repairs
      .getByText(/^v=DMARC1/)
      .first()
      .waitFor();
    await expectAccessible();
    await button(title).press("Enter");
    await repairs.getByText("_dmarc.shop.example.com", { exact: true }).waitFor({ state: "detached" });
  });

  it("changes a client, and refuses a change that is based on an earlier revision", async () => {
    await act("Change the client");
    await expectAccessible();
    await dialog().getByLabel("Notes").fill("Renewal in May");
    const { revision: _, ...before } = await clientOf(nordwind);
    const { name, contact_emails, locale, timezone } = before;
    const other = { name, contact_emails, locale, timezone, archived: false, external_ref: "crm-1" };
    await ask("PUT", `/intel/clients/${nordwind}`, other);
    await inDialog("Save").click();
    await dialog().getByRole("alert").waitFor();
    expect(await clientOf(nordwind)).toMatchObject({ external_ref: "crm-1", notes: null });
    await page.keyboard.press("Escape");
    await act("Change the client");
    await expect.poll(() => dialog().getByLabel("Your reference").inputValue()).toBe("crm-1");
    await dialog().getByLabel("Notes").fill("Renewal in May");
    await inDialog("Save").dblclick();
    await page.getByText("The client Nordwind is saved.").waitFor();
    await card("Details").getByText("Renewal in May").waitFor();
    expect(await clientOf(nordwind)).toMatchObject({ external_ref: "crm-1", notes: "Renewal in May" });
  });

  it("shows the mutes of a client with their reasons, and ends one", async () => {
    await ask("PUT", `/intel/domains/${shop}/mutes/auth.dmarc.exists`, {
      until: new Date(Date.now() + 86_400_000).toISOString(),
      reason: "The provider moves the servers.",
    });
    await page.reload();
    await card("Mutes").first().getByText("The provider moves the servers.").waitFor();
    await page.getByRole("link", { name: "All mutes" }).click();
    await page.getByRole("heading", { level: 1, name: "Mutes" }).waitFor();
    expect(new URL(page.url()).searchParams.get("client_id")).toBe(nordwind);
    await row("shop.example.com").getByText("The provider moves the servers.").waitFor();
    await expectAccessible();
    await button("Unmute: There is a DMARC record, shop.example.com").dblclick();
    await page.getByText("“There is a DMARC record” of shop.example.com is no longer muted.").waitFor();
    await page.getByText("No check is muted", { exact: true }).waitFor();
    expect((await ask("GET", "/intel/mutes")).data).toEqual([]);
  });

  it("lists what changed in a workspace, by kind, client and time", async () => {
    dns.serve({ ...zones, "shop.example.com": { ...nullMx, TXT: ["v=spf1 ptr -all"] } });
    await ask("POST", `/intel/domains/${shop}/check`);
    await user.begin();
    await user.go("Changes");
    await row("Finding resolved").filter({ hasText: "shop.example.com" }).first().waitFor();
    await expectAccessible();
    await button(/^Kind/).click();
    await page.getByRole("menuitemcheckbox", { name: "New finding" }).click();
    await page.keyboard.press("Escape");
    await row("Finding resolved").first().waitFor({ state: "detached" });
    await row("SPF does not use ptr").first().waitFor();
    expect(new URL(page.url()).searchParams.get("kind")).toBe("finding.opened");
    await open("/intel/changes?until=2020-01-01T00:00:00Z");
    await page.getByText("No change matches these filters").waitFor();
    await open(`/intel/clients/${nordwind}`);
    await card("Changes this week")
      .first()
      .getByText(/\d+ findings? resolved/)
      .first()
      .waitFor();
  });

  it("creates a workspace, and shows a workspace with its clients, repairs and links", async () => {
    await open("/intel/workspaces");
    await button("Create a workspace").click();
    await dialog().getByLabel("Name").fill("Agency");
    await inDialog("Create").dblclick();
    await page.getByRole("link", { name: "Agency" }).click();
    await page.getByText("No clients yet").waitFor();
    await button("Rename").click();
    await dialog().getByLabel("Name").fill("Second agency");
    await inDialog("Rename").click();
    await page.getByRole("heading", { level: 1, name: "Second agency" }).waitFor();
    await page.getByRole("link", { name: "Workspaces" }).last().click();
    await page.getByRole("link", { name: "Default" }).click();
    await card("Clients").first().getByRole("link", { name: "Südwind" }).waitFor();
    await card("Repair first").first().getByRole("row").nth(1).waitFor();
    await page.getByText("As a table").click();
    await expectAccessible();
    await page.getByRole("link", { name: "Reports", exact: true }).last().click();
    await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
    await open("/intel/workspaces/ws_01k9z4c3r8h2v6y0n5t7w1x3q9");
    await page.getByRole("heading", { level: 1, name: "This does not exist" }).waitFor();
  });

  it("shows no buttons to a viewer", async () => {
    const isSession = (url: URL) => url.pathname === "/api/session";
    await page.route(isSession, async (route) => {
      const answer = await route.fetch();
      const session = await answer.json();
      const permissions = session.permissions.filter((name: string) => name !== "intel.write");
      await route.fulfill({ response: answer, json: { ...session, permissions } });
    });
    for (const path of [
      "/intel/clients",
      `/intel/clients/${nordwind}`,
      "/intel/workspaces",
      "/intel/mutes",
    ]) {
      await open(path);
      await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
      const names = /^(?:Create|Mail|More|Rename|Unmute)/;
      expect([path, await page.getByRole("main").getByRole("button", { name: names }).count()]).toEqual([
        path,
        0,
      ]);
    }
    await page.unroute(isSession);
  });

  it("archives and restores a client, and removes it with its domains in a job", async () => {
    await open(`/intel/clients/${nordwind}`);
    await act("Archive");
    await inDialog("Archive").click();
    await dialog().getByText("Report: Nordwind").first().waitFor();
    await expectAccessible();
    await inDialog("Archive it anyway").click();
    await page.getByText("Nordwind is archived.").waitFor();
    await act("Restore");
    await inDialog("Restore").click();
    await page.getByText("Nordwind is active again.").waitFor();
    expect(await clientOf(nordwind)).toMatchObject({ status: "active", external_ref: "crm-1" });
    await act("Remove the client");
    await dialog()
      .getByText(/A job then removes its 2 domains with their findings/)
      .waitFor();
    await inDialog("Remove").click();
    await inDialog("Remove it anyway").dblclick();
    await page.waitForURL(/\/jobs\/job_\w+$/);
    await page.getByText("Nordwind is being removed.").waitFor();
    await eventually(async () => {
      const { data } = await ask("GET", "/intel/clients");
      return data.length === 1 || undefined;
    });
    expect((await ask("GET", "/intel/domains")).data).toMatchObject([{ name: "parked.example.com" }]);
  });

  it.each([320, 390, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const [{ id: client }] = (await ask("GET", "/intel/clients")).data;
    const [{ id: workspace }] = (await ask("GET", "/intel/workspaces")).data;
    const pages = ["/intel/clients", `/intel/clients/${client}`, "/intel/changes", "/intel/mutes"];
    for (const path of [...pages, `/intel/workspaces/${workspace}`]) {
      await open(path);
      await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
  });
});
