import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { dmarcReport, dmarcRow, writeDmarc } from "../harness/dmarc-reports.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { hasEnglishWord, shownTexts } from "../harness/english-words.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

const SHOP = "shop.example.com";
const PARKED = "parked.example.com";
const IDLE = "idle.example.com";
const REASON = "The provider moves the servers in March.";

/** A shop with an SPF record that permits everyone, and a parked domain with all its records. */
const zones: DnsZones = {
  [SHOP]: { TXT: ["v=spf1 ip4:93.184.215.14 +all"], MX: ["0 ."], ttl: 1 },
  [PARKED]: { TXT: ["v=spf1 -all"], MX: ["0 ."], ttl: 1 },
  [`_dmarc.${PARKED}`]: { TXT: ["v=DMARC1; p=reject; rua=mailto:dmarc@parked.example.com"], ttl: 1 },
};
const repaired: DnsZones = {
  ...zones,
  [SHOP]: { TXT: ["v=spf1 ip4:93.184.215.14 -all"], MX: ["0 ."], ttl: 1 },
};

describe.skipIf(browser.missing)(`watched domains${browser.note}`, () => {
  let dns: DnsServer;
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  /** Id of the domain of the shop. */
  let shop: string;

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const get = async () => (await ask("GET", `/intel/domains/${shop}`)).body;

  beforeAll(async () => {
    dns = await startDnsServer(zones);
    world = await openDashboard({
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    });
    visit = await world.signIn("/intel/domains");
    visit.tolerate(/status of (?:404|409|422|429)/);
    page = visit.page;
    for (const name of ["Nordwind AG", "Südwind GmbH"]) await ask("POST", "/intel/clients", { name });
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
  const pick = async (within: Page | Locator, text: string, option: string) => {
    await within.getByRole("combobox", { name: "Client" }).fill(text);
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Details" }).getByRole("link", { name }).click();
  const more = async (name: string) => {
    await button("More").click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const filters = () => Object.fromEntries(new URL(page.url()).searchParams);

  it("adds a domain of a client, and shows its first check without a reload", async () => {
    await page.getByText("No watched domains yet").waitFor();
    await expectAccessible();
    await button("Add a domain").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Domain" }).fill("co.uk");
    await pick(dialog, "Nord", "Nordwind AG");
    await inDialog("Add").click();
    await dialog.getByRole("alert").waitFor();
    await expectAccessible();
    await dialog.getByRole("textbox", { name: "Domain" }).fill(SHOP);
    await inDialog("Add").dblclick();
    await page.waitForURL(/\/intel\/domains\/dom_\w+$/);
    await page.getByText(/^Score \d+ of 100/).waitFor();
    await page.getByText("Critical", { exact: true }).first().waitFor();
    await expectAccessible();
    const { data } = (await ask("GET", "/intel/domains")).body;
    expect(data).toMatchObject([{ name: SHOP, role: "sending", status: "critical" }]);
    shop = data[0].id;
  });

  it("lists the repairs by their gain, the first one with the record to publish", async () => {
    const { data: findings } = (await ask("GET", `/intel/findings?domain_id=${shop}`)).body;
    const listed = page.getByRole("region", { name: "Repairs" });
    const titles = await listed.getByRole("listitem").locator(".opener").allTextContents();
    expect(titles).toHaveLength(findings.length);
    expect(titles[0]).toBe(findings[0].title);
    await listed.getByText(`+${findings[0].gain} points`, { exact: true }).waitFor();
    await listed.getByText(/^After the repair, the score rises by/).waitFor();
    const { checks } = await get();
    const spf = checks.find(({ id }: { id: string }) => id === "auth.spf.all");
    await open(`/intel/domains/${shop}?check=auth.spf.all`);
    await listed.getByText(spf.fix.record.value, { exact: true }).waitFor();
    await listed.getByText(spf.observed, { exact: true }).waitFor();
    await button(`Copy: Value`).click();
    await listed.getByText("Copied").waitFor();
    await listed.getByText(/^Evidence: \d+ answer/).click();
    await listed.getByText('"v=spf1 ip4:93.184.215.14 +all"').first().waitFor();
    await expectAccessible();
  });

  it("checks a repaired domain on demand, raises its score, and says when it was checked too soon", async () => {
    const { score } = await get();
    dns.serve(repaired);
    await button("Check now").dblclick();
    await page.getByText("The check is complete.").waitFor();
    await button("SPF has a policy for other senders").waitFor({ state: "detached" });
    const after = (await get()).score;
    expect(after).toBeGreaterThan(score);
    await page.getByText(`Score ${after} of 100`).waitFor();
    // The second press of a double click is ignored.
    await page.reload();
    await button("Check now").click();
    await page.getByRole("alert").getByText("were checked a moment ago").waitFor();
    await expectAccessible();
  });

  it("mutes a check until a time with a reason, shows both, and unmutes it", async () => {
    const title = "There is a DMARC record";
    await open(`/intel/domains/${shop}?check=auth.dmarc.exists`);
    await button(`Mute: ${title}`).click();
    await expectAccessible();
    await page.getByRole("textbox", { name: "Reason" }).fill(REASON);
    await inDialog("Mute").dblclick();
    await page.getByText("The check is muted.").waitFor();
    const muted = page.getByRole("region", { name: "Mutes" }).first();
    await muted.getByText(REASON).waitFor();
    await button(title).waitFor({ state: "detached" });
    await expectAccessible();
    const [mute] = (await ask("GET", `/intel/mutes?domain_id=${shop}`)).body.data;
    expect(mute).toMatchObject({ check_id: "auth.dmarc.exists", reason: REASON });
    const days = (Date.parse(mute.until) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await button(`Unmute: ${title}, ${SHOP}`).click();
    await page.getByText(`“${title}” of ${SHOP} is no longer muted.`).waitFor();
    await button(title).waitFor();
    expect((await ask("GET", `/intel/mutes?domain_id=${shop}`)).body.data).toEqual([]);
  });

  it("shows every check with its result and points, by area, result and text", async () => {
    await tab("All checks");
    const { checks } = await get();
    await expect.poll(() => page.getByRole("row").count()).toBe(checks.length + 1);
    await row("There is an SPF record").getByText("10 of 10").waitFor();
    await expectAccessible();
    await page.getByRole("searchbox").fill("auth.spf");
    await row("There is a DMARC record").waitFor({ state: "detached" });
    await button(/^Result/).click();
    await page.getByRole("menuitemcheckbox", { name: "Failed" }).click();
    await page.getByText("No check matches these filters").waitFor();
    await page.getByRole("searchbox").fill("");
    await button("There is a DMARC record").click();
    await page.getByText("auth.dmarc.exists").waitFor();
    expect(filters()).toEqual({ tab: "checks", check: "auth.dmarc.exists" });
    await expectAccessible();
  });

  it("shows results in German, without English words", async () => {
    const german = await world.visit({ language: "de-DE" });
    await german.context.addCookies(await visit.context.cookies());
    await german.page.goto(`${world.url}/dashboard/intel/domains/${shop}?tab=checks`);
    const { checks } = await get();
    const ids: string[] = checks.map(({ id }: { id: string }) => id);
    const openers = german.page.getByRole("table").locator(".opener");
    await expect.poll(() => openers.count()).toBe(ids.length);
    const found: string[] = [];
    for (const [index, id] of ids.entries()) {
      await openers.nth(index).click();
      await german.page.getByText(id, { exact: true }).waitFor();
      const texts = await german.page.evaluate<string[]>(shownTexts);
      const unknown = await german.page.locator(".facts [lang=en]").allTextContents();
      found.push(
        ...[...texts.filter((text) => hasEnglishWord(text.replace("in From passt", ""))), ...unknown].map(
          (text) => `${id}: ${text}`,
        ),
      );
    }
    expect(found).toEqual([]);
    await german.leave();
  });

  it("shows the score over time, and the changes of a step", async () => {
    await tab("History");
    await row("SPF has a policy for other senders").getByText("Finding resolved").first().waitFor();
    await row("Not checked yet → Critical").waitFor();
    await page.getByText("26 weeks").click();
    await page.getByText("As a table").click();
    const plot = page.getByRole("region", { name: "Score over time" }).last();
    const { score } = await get();
    await expect.poll(() => plot.getByRole("cell").last().textContent()).toBe(String(score));
    await expectAccessible();
    await plot.getByRole("button").last().click();
    await page.getByRole("heading", { level: 1, name: "Changes" }).waitFor();
    expect(filters()).toMatchObject({ domain_id: shop });
    await row("SPF has a policy for other senders").getByRole("link", { name: SHOP }).first().click();
    await page.getByText(/^Score \d+ of 100/).waitFor();
  });

  it("changes the settings, also after a change by another member", async () => {
    await tab("Settings");
    const tags = page
      .locator("input")
      .and(page.getByLabel("Tags", { exact: true }))
      .first();
    await tags.fill("retail");
    await tags.press("Enter");
    await page.getByRole("textbox", { name: "Notes" }).fill("Renewal in May");
    const { client_id, role, dkim_selectors, sending_ips, paused } = await get();
    const theirs = { role, dkim_selectors, sending_ips, paused, tags: ["theirs"] };
    expect((await ask("PUT", `/intel/domains/${shop}`, theirs)).status).toBe(200);
    // The event stream can be faster: then the button is disabled.
    await button("Save").click({ force: true });
    await page.getByText("The stored state has changed since you began").waitFor();
    await expectAccessible();
    await button("Continue with mine").click();
    await button("Save").dblclick();
    await page.getByText("Saved. The domain is being checked.").waitFor();
    expect(await get()).toMatchObject({ tags: ["retail"], notes: "Renewal in May", client_id });
    await tab("Repairs");
    await page.getByRole("link", { name: "retail", exact: true }).waitFor();
    await page.getByText("Renewal in May").waitFor();
  });

  it("counts an uploaded DMARC report once, and refuses a file that is none", async () => {
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const report = dmarcReport({
      reportId: "uploaded",
      begin: new Date(`${day}T00:00:00Z`),
      end: new Date(`${day}T23:59:59Z`),
      policy: { domain: SHOP, adkim: "r", aspf: "r", p: "none", sp: "none", pct: 100 },
      rows: [dmarcRow({ sourceIp: "198.51.100.7", count: 40 })],
    });
    const upload = async (text: string) => {
      const file = { name: "report.xml", mimeType: "text/xml", buffer: Buffer.from(text) };
      await page.locator("input[type=file]").setInputFiles(file);
      await inDialog("Upload").click();
    };
    const result = (name: string) => page.getByRole("dialog").getByText(name, { exact: true }).waitFor();
    await page.getByText("No DMARC or TLS report arrived yet.").waitFor();
    await button("Upload reports").click();
    await upload(writeDmarc(report));
    await result("Counted");
    await expectAccessible();
    await upload(writeDmarc(report));
    await result("Already there");
    await upload("no report");
    await result("Refused");
    await inDialog("Close").last().click();
    await page.getByText("1 DMARC report and 0 TLS reports count.").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "DMARC sources" }).last().click();
    await row("198.51.100.0/24").waitFor();
    await page.goBack();
  });

  it("finds domains by client, tag, state and text, with the filters in the address", async () => {
    const clients = (await ask("GET", "/intel/clients")).body.data as { id: string; name: string }[];
    const south = clients.find(({ name }) => name === "Südwind GmbH")?.id ?? "";
    await ask("POST", "/intel/domains", { client_id: south, name: PARKED, role: "parked", tags: ["old"] });
    await ask("POST", "/intel/domains", { client_id: south, name: IDLE, paused: true });
    await page.getByRole("link", { name: "retail", exact: true }).click();
    await row(SHOP).getByText("Nordwind AG, retail").waitFor();
    expect(filters()).toEqual({ tag: "retail" });
    await button("Clear: Tag retail").click();
    await row(PARKED).getByText("Healthy").waitFor();
    await row(PARKED).getByText("100 A").waitFor();
    await row(IDLE).getByText("Paused").waitFor();
    await expectAccessible();
    await pick(page, "Süd", "Südwind GmbH");
    await row(SHOP).waitFor({ state: "detached" });
    await button(/^State/).click();
    await page.getByRole("menuitemcheckbox", { name: "Paused" }).click();
    await row(PARKED).waitFor({ state: "detached" });
    await page.getByRole("searchbox").fill("nothing");
    await page.getByText("No watched domain matches these filters").waitFor();
    expect(filters()).toEqual({ client_id: south, status: "paused", search: "nothing" });
    await page.reload();
    await page.getByText("No watched domain matches these filters").waitFor();
    await button("Clear filters").click();
    await button(/^Order/).click();
    await page.getByRole("menuitemcheckbox", { name: "Highest score first" }).click();
    await expect.poll(() => page.getByRole("row").nth(1).textContent()).toContain(PARKED);
    expect(filters()).toEqual({ sort: "-score" });
  });

  it("pauses and resumes a domain", async () => {
    await row(SHOP).getByRole("link", { name: SHOP }).click();
    await more("Pause");
    await page.getByText("The checks of the domain are paused.", { exact: true }).waitFor();
    await page.getByText("Its score and its findings are those of the last check.").waitFor();
    await expectAccessible();
    expect(await get()).toMatchObject({ paused: true, tags: ["retail"], notes: "Renewal in May" });
    await button("Resume").dblclick();
    await button("Check now").waitFor();
    expect(await get()).toMatchObject({ paused: false, tags: ["retail"] });
  });

  it("stops watching a domain after it has said what is removed", async () => {
    await open("/intel/domains");
    await row(IDLE).getByRole("link", { name: IDLE }).click();
    await more("Stop watching");
    await page.getByRole("dialog").getByText("DMARC and TLS reports are removed").waitFor();
    await expectAccessible();
    await inDialog("Remove").dblclick();
    await page.waitForURL(/\/intel\/domains$/);
    await page.getByText(`${IDLE} is no longer watched.`).waitFor();
    await row(IDLE).waitFor({ state: "detached" });
    expect((await ask("GET", "/intel/domains")).body.data).toHaveLength(2);
  });

  it.each([320, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const own = `/intel/domains/${shop}`;
    for (const path of [
      "/intel/domains",
      own,
      `${own}?tab=checks`,
      `${own}?tab=history`,
      `${own}?tab=settings`,
    ]) {
      await open(path);
      await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it("offers a viewer no change", async () => {
    const { email, account_id: accountId } = (await ask("GET", "/session")).body;
    const { members, users } = world.hermod.core;
    await users.createUser({ email: "bo@example.com", accountId, role: "owner" });
    await members.changeRole({ accountId, user: email, role: "viewer" });
    await open("/intel/domains");
    await row(SHOP).waitFor();
    expect(await button("Add a domain").count()).toBe(0);
    await open(`/intel/domains/${shop}`);
    await page.getByText(/to repair, largest gain first/).waitFor();
    for (const name of ["Check now", "More", /^Mute/]) expect(await button(name).count()).toBe(0);
    await tab("Settings");
    await page.getByText("Your role may not change watched domains.").waitFor();
    expect(await page.getByRole("textbox", { name: "Notes" }).isDisabled()).toBe(true);
    expect(await button("Save").count()).toBe(0);
    await expectAccessible();
  });
});
