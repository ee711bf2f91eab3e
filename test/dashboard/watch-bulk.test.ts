import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn, holdAnswers, placeOf } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const NAMES = [1, 2, 3, 4, 5].map((number) => `shop-${number}.example.com`);

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly client_id: string;
  readonly paused: boolean;
  readonly tags: readonly string[];
  readonly revision: string;
}

describe.skipIf(browser.missing)(`many watched domains${browser.note}`, () => {
  let dns: DnsServer;
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  /** Id of the second client, which has no domain. */
  let south: string;

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const listed = async () => (await ask("GET", "/intel/domains?sort=name")).body.data as Listed[];

  beforeAll(async () => {
    // No domain has a record.
    dns = await startDnsServer({});
    world = await openDashboard({ HERMOD_DNS_SERVERS: dns.address });
    visit = await world.signIn("/intel/domains");
    visit.tolerate(/status of (?:404|409|422)/);
    page = visit.page;
    const { id: client_id } = (await ask("POST", "/intel/clients", { name: "Nordwind AG" })).body;
    south = (await ask("POST", "/intel/clients", { name: "Südwind GmbH" })).body.id;
    for (const name of NAMES) await ask("POST", "/intel/domains", { client_id, name });
    await eventually(async () => {
      const { data } = (await ask("GET", "/intel/domains")).body;
      const isChecked = ({ checked_at: at, checking }: { checked_at: unknown; checking: unknown }) =>
        at !== null && checking === null;
      return data.every(isChecked) ? true : undefined;
    });
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
  const bar = () => page.getByRole("region", { name: / selected$/ });
  const dialog = () => page.getByRole("dialog");
  const select = async (...names: readonly string[]) => {
    for (const name of names) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  };
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);

  it("pauses the selected domains by a job, after it has counted them", async () => {
    await open("/intel/domains");
    await select(NAMES[0] ?? "", NAMES[1] ?? "");
    await bar().getByText("2 domains selected").waitFor();
    await expectAccessible();
    await bar().getByRole("button", { name: "Pause" }).click();
    await dialog().getByText("2 domains are selected.").waitFor();
    await dialog()
      .getByText(NAMES[0] ?? "")
      .waitFor();
    await expectAccessible();
    expect((await listed()).some(({ paused }) => paused)).toBe(false);
    await dialog().getByRole("button", { name: "Pause: 2 domains" }).dblclick();
    await page.waitForURL(/\/jobs\/job_\w+$/);
    await page.getByRole("heading", { name: "Watched domains: pause" }).waitFor();
    await page.getByText("Succeeded").first().waitFor();
    await page.getByRole("link", { name: /^dom_/ }).first().waitFor();
    await expectAccessible();
    expect((await listed()).map(({ paused }) => paused)).toEqual([true, true, false, false, false]);
    expect((await ask("GET", "/jobs?kind=watched_domain.bulk")).body.data).toHaveLength(1);
  });

  it("moves all matches of a filter to another client", async () => {
    await open("/intel/domains?status=paused");
    await row(NAMES[0] ?? "")
      .getByText("Nordwind AG")
      .waitFor();
    await button("All matches").click();
    await page.getByRole("menuitem", { name: "Move to a client" }).click();
    await dialog().getByRole("combobox", { name: "New client" }).fill("Süd");
    await page.getByRole("option", { name: "Südwind GmbH", exact: true }).click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Continue" }).click();
    await dialog().getByText("Domains that are added after this count are not included.").waitFor();
    await dialog().getByRole("button", { name: "Move to a client: 2 domains" }).click();
    await page.getByText("Succeeded").first().waitFor();
    expect((await listed()).map(({ client_id }) => client_id === south)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  const confirm = async (name: string) => {
    await expectAccessible();
    await dialog().getByRole("button", { name, exact: true }).dblclick();
    await page.waitForURL(/\/jobs\/job_\w+$/);
    await page.getByText("Succeeded").first().waitFor();
  };
  const press = (name: string) => dialog().getByRole("button", { name, exact: true }).click();

  it("adds tags to the selected domains, and names the domain that would have too many", async () => {
    const [, , third, fourth] = await listed();
    const tags = Array.from({ length: 20 }, (_, number) => `tag ${number}`);
    const settings = { role: "sending", dkim_selectors: [], sending_ips: [], paused: false, tags };
    expect((await ask("PUT", `/intel/domains/${fourth?.id}`, settings)).status).toBe(200);
    await open("/intel/domains");
    await select(NAMES[2] ?? "", NAMES[3] ?? "");
    await bar().getByRole("button", { name: "Tags" }).click();
    await press("Continue");
    await dialog().getByText("Enter at least one tag.").waitFor();
    await expectAccessible();
    await dialog().getByRole("combobox", { name: "Tags" }).fill("retail");
    await press("Continue");
    await dialog().getByText("retail").waitFor();
    await confirm("Add tags: 2 domains");
    await page.getByRole("heading", { name: "Watched domains: add tags" }).waitFor();
    await page.getByText("At most 20 tags are allowed.").waitFor();
    const found = await listed();
    expect([found[2]?.tags, found[3]?.tags]).toEqual([["retail"], tags]);
    expect(found[2]?.id).toBe(third?.id);
  });

  it("removes tags from all matches, and replaces their notes", async () => {
    await open("/intel/domains?tag=retail");
    await button("All matches").click();
    await page.getByRole("menuitem", { name: "Tags" }).click();
    await dialog().getByText("Remove tags").click();
    await dialog().getByRole("combobox", { name: "Tags" }).fill("retail");
    await page.keyboard.press("Enter");
    await press("Continue");
    await confirm("Remove tags: 1 domain");
    await open("/intel/domains?search=shop-3");
    await button("All matches").click();
    await page.getByRole("menuitem", { name: "Notes" }).click();
    await dialog().getByRole("textbox", { name: "Notes" }).fill("Renewal in May");
    await press("Continue");
    await dialog().getByText("Renewal in May").waitFor();
    await confirm("Replace notes: 1 domain");
    expect((await listed())[2]).toMatchObject({ tags: [], notes: "Renewal in May" });
  });

  it("mutes and unmutes a check of the selected domains", async () => {
    const choose = async (isMute: boolean) => {
      await open("/intel/domains");
      await select(NAMES[2] ?? "", NAMES[3] ?? "");
      await bar().getByRole("button", { name: "Mute a check" }).click();
      if (!isMute) await dialog().getByText("Unmute").click();
      await dialog().getByRole("combobox", { name: "Check" }).fill("DMARC record");
      await page.getByRole("option", { name: "There is a DMARC record", exact: true }).click();
      if (isMute) await dialog().getByRole("textbox", { name: "Reason" }).fill("It is known.");
      await expectAccessible();
      await press("Continue");
      await dialog().getByText("There is a DMARC record").waitFor();
    };
    const mutes = async () => (await ask("GET", "/intel/mutes")).body.data;
    await choose(true);
    await confirm("Mute: 2 domains");
    const muted = { check_id: "auth.dmarc.exists", reason: "It is known." };
    expect(await mutes()).toMatchObject([muted, muted]);
    await choose(false);
    await confirm("Unmute: 2 domains");
    expect(await mutes()).toEqual([]);
  });

  it("stops watching the selected domains by a job, which names those that it could not remove", async () => {
    const [, , , fourth] = await listed();
    await open("/intel/domains");
    await select(NAMES[3] ?? "", NAMES[4] ?? "");
    await bar().getByRole("button", { name: "Stop watching" }).click();
    await dialog().getByText("DMARC and TLS reports are removed").waitFor();
    // Another member is faster.
    expect((await ask("DELETE", `/intel/domains/${fourth?.id}`)).status).toBe(204);
    await confirm("Stop watching: 2 domains");
    await row(NAMES[4] ?? "")
      .getByText("Done")
      .waitFor();
    await row(fourth?.id ?? "")
      .getByText("The domain is no longer watched.")
      .waitFor();
    expect((await listed()).map(({ name }) => name)).toEqual(NAMES.slice(0, 3));
    await open("/intel/domains");
  });

  it("offers to watch the sending domains of the account, several by a job and one at once", async () => {
    const { account_id: accountId } = (await ask("GET", "/session")).body;
    const sending = ["one", "two", "three"].map((name) => `${name}.example.net`);
    for (const domain of sending) await world.hermod.core.domains.addDomain({ accountId, domain });
    const held = await holdAnswers(page, /\/api\/intel\/(?:offers|clients)\?/);
    await open("/intel/domains");
    const listedRow = row(NAMES[0] as string);
    const place = await placeOf(listedRow);
    held.release();
    const offers = page.getByRole("region", { name: "Sending domains that are not watched" });
    await offers.getByText("3 sending domains are not watched.").waitFor();
    await listedRow.getByText(/Nordwind AG|Südwind GmbH/).waitFor();
    expect(await listedRow.boundingBox(), "a row that moves misses the click").toEqual(place);
    await expectAccessible();
    await offers.getByRole("button", { name: "Watch them" }).click();
    await dialog().getByRole("combobox", { name: "Client" }).fill("Süd");
    await page.getByRole("option", { name: "Südwind GmbH", exact: true }).click();
    await dialog().getByRole("checkbox", { name: "three.example.net" }).uncheck();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Watch 2 domains" }).dblclick();
    await page.waitForURL(/\/intel\/import\?job=job_\w+$/);
    await row("two.example.net").getByText("Done").waitFor();
    await open(`/intel/domains?client_id=${south}`);
    await offers.getByText("1 sending domain is not watched.").waitFor();
    await offers.getByRole("button", { name: "Watch them" }).click();
    await dialog().getByRole("button", { name: "Watch 1 domain" }).click();
    await page.waitForURL(/\/intel\/domains\/dom_\w+$/);
    await page.getByRole("heading", { level: 1, name: "three.example.net" }).waitFor();
    const { data } = (await ask("GET", `/intel/domains?client_id=${south}`)).body;
    const names = data.map(({ name }: Listed) => name);
    for (const name of sending) expect(names).toContain(name);
    await open("/intel/domains");
    await row("three.example.net").waitFor();
    expect(await offers.count()).toBe(0);
  });

  it("explains every check, with the domains that fail it and their records", async () => {
    await page.getByRole("link", { name: "Checks", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Checks" }).waitFor();
    const { data: all } = (await ask("GET", "/intel/checks")).body;
    await expect.poll(() => page.getByRole("row").count()).toBe(all.length + 1);
    await expectAccessible();
    const { data: findings } = (await ask("GET", "/intel/findings")).body;
    const [finding] = findings as { check_id: string; title: string; domain_count: number }[];
    if (!finding) throw new Error("No domain has a finding.");
    const cells = row(finding.title).getByRole("cell");
    await expect.poll(() => cells.last().textContent()).toBe(String(finding.domain_count));
    await page.getByRole("searchbox").fill(finding.check_id);
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await button(finding.title).click();
    const { meaning } = all.find(({ id }: { id: string }) => id === finding.check_id);
    await page.getByText(meaning).waitFor();
    const failing = page.getByRole("region", { name: "Domains with this finding" });
    await failing.getByRole("link", { name: NAMES[2] ?? "" }).waitFor();
    // Paused domains do not count.
    expect(await failing.getByRole("link", { name: NAMES[0] ?? "" }).count()).toBe(0);
    await expectAccessible();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      search: finding.check_id,
      check: finding.check_id,
    });
    await failing.getByRole("link", { name: NAMES[2] ?? "" }).click();
    const opened = page.getByRole("button", { name: finding.title, expanded: true });
    await opened.waitFor();
    await page.getByRole("link", { name: "Domains with this finding" }).click();
    await page.getByRole("heading", { level: 1, name: "Checks" }).waitFor();
    await opened.waitFor();
  });

  it("shows a viewer the sending domains that are not watched, without a button", async () => {
    const { email, account_id: accountId } = (await ask("GET", "/session")).body;
    const { domains, members, users } = world.hermod.core;
    await domains.addDomain({ accountId, domain: "four.example.net" });
    await users.createUser({ email: "bo@example.com", accountId, role: "owner" });
    await members.changeRole({ accountId, user: email, role: "viewer" });
    await open("/intel/domains");
    await page.getByText("1 sending domain is not watched.").waitFor();
    for (const name of ["Watch them", "Add a domain"]) expect(await button(name).count()).toBe(0);
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await expectAccessible();
  });

  it("filters the catalogue by area, and explains a blacklist that is not used", async () => {
    await open("/intel/checks?area=transport");
    await row("Mail servers offer STARTTLS").getByText("10").waitFor();
    await row("There is an SPF record").waitFor({ state: "detached" });
    await button("Clear filters").click();
    await button("Spamhaus ZEN has no entry").click();
    await page.getByText("The operator has not enabled it.").waitFor();
    await expectAccessible();
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      expect(await visit.overflow()).toBe(0);
    }
  });
});
