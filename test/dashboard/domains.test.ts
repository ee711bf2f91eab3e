import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { publishedZones } from "../harness/domain-records.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const DOMAIN = "shop.example.org";
const WRONG_DMARC = "v=DMARC1; p=whatever";

describe.skipIf(browser.missing)(`the pages of domains and senders${browser.note}`, () => {
  let dns: DnsServer;
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    dns = await startDnsServer({ [`_dmarc.${DOMAIN}`]: { TXT: [[WRONG_DMARC]] } });
    world = await openDashboard({
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_SPF_TERMS: "include:_spf.hermod.test",
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
      HERMOD_MAIL_FROM: "hermod@example.com",
    });
    visit = await world.signIn("/domains");
    page = visit.page;
  });
  afterAll(async () => {
    await world?.dispose();
    await dns?.close();
  });

  const core = () => world.hermod.core;
  const domain = async () => (await core().domains.getDomain({ domain: DOMAIN })).domain as Domain;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");

  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);

  it("lead from an empty account to the records of a domain, with the differences marked", async () => {
    await page.getByText("No domains yet").waitFor();
    await button("Add a domain").first().click();
    await page.getByLabel("Domain", { exact: false }).last().fill(DOMAIN);
    await expectAccessible();
    await dialog().getByRole("button", { name: "Add a domain" }).click();
    await page.waitForURL(`**/domains/${DOMAIN}`);
    await page.getByText("You cannot send from addresses of this domain yet.").waitFor();
    // Hermod checks a new domain automatically, and the event stream reports it.
    const dmarc = page.getByRole("article", { name: `DMARC _dmarc.${DOMAIN}` });
    await dmarc.getByText("Different").waitFor();
    expect(await dmarc.locator("mark.extra").allTextContents()).toContain("whatever");
    expect(await dmarc.locator("mark.lacking").first().textContent()).toBe("none");
    const ownership = page.getByRole("article", { name: /^Ownership/ });
    await ownership.getByText(`_hermod.${DOMAIN}`, { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "DNS provider" }).click();
    await page.getByRole("option", { name: "Namecheap" }).click();
    await ownership.getByText("_hermod.shop", { exact: true }).waitFor();
    await expectAccessible();
  });

  it("show the records to a colleague without a session, until the link is revoked", async () => {
    await button("Link for a colleague").click();
    await button("Create link").click();
    const link = await dialog().locator("code").textContent();
    expect(link).toMatch(/\/dashboard\/dns-records#[\w-]{80,}$/);
    await expectAccessible();
    const colleague = await world.visit();
    // The browser logs the refusal that the page shows.
    colleague.tolerate(/status of 404/);
    await colleague.page.goto(link ?? "");
    await colleague.page.getByRole("heading", { name: `DNS records of ${DOMAIN}` }).waitFor();
    await colleague.page.getByRole("article", { name: /^Ownership/ }).waitFor();
    expect(await colleague.violations()).toEqual([]);
    const kept = await colleague.page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })");
    expect(kept).not.toContain(link?.split("#")[1]);
    await button("Revoke it").click();
    await button("Create link").waitFor();
    await page.keyboard.press("Escape");
    await colleague.page.reload();
    await colleague.page.getByText("This link does not work").waitFor();
    expect(await colleague.violations()).toEqual([]);
    await colleague.leave();
  });

  it("verify the domain with a check after its records are published", async () => {
    dns.serve(publishedZones(await domain()));
    await button("Check now").click();
    await page.getByText("You can send from addresses of this domain.").waitFor();
    await page.getByText("2 of 2 required records are found.").waitFor();
    expect(await domain()).toMatchObject({ status: "verified", maySend: true, verifiedBy: "dns" });
    await button("Zone file").click();
    await dialog().getByText(`_hermod.${DOMAIN}. 3600 IN TXT`).waitFor();
    await expectAccessible();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  it("send a test message from the domain once, and link to it", async () => {
    await button("Send a test message").click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Send a test message" }).dblclick();
    await page.getByRole("link", { name: "See its state" }).click();
    await page.waitForURL("**/messages/*");
    const { messages } = await core().messages.listMessages({});
    expect(messages).toHaveLength(1);
    expect(messages).toMatchObject([
      { source: "dashboard", from: expect.stringContaining(`hello@${DOMAIN}`) },
    ]);
    await page.goto(`${world.url}/dashboard/domains/${DOMAIN}`);
  });

  it("rotate the DKIM keys and show the next steps", async () => {
    await page.getByRole("button", { name: "Rotate DKIM keys" }).click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Rotate DKIM keys" }).click();
    await page.getByText("Publish their records: 2 missing.").waitFor();
    const { keys } = await domain();
    expect(keys.map(({ state }) => state)).toEqual(["upcoming", "upcoming", "signing", "signing"]);
    await expectAccessible();
  });

  it("find domains by a part of the name and by status, which are in the address", async () => {
    await core().domains.addDomain({ domain: "news.example.net" });
    await page.goto(`${world.url}/dashboard/domains?status=verified`);
    await page.getByRole("link", { name: DOMAIN }).waitFor();
    expect(await page.getByRole("link", { name: "news.example.net" }).count()).toBe(0);
    await page.goto(`${world.url}/dashboard/domains`);
    await page.getByRole("searchbox", { name: "Domain" }).fill("NEWS");
    await page.waitForURL("**/domains?search=NEWS");
    await page.getByRole("link", { name: DOMAIN }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "news.example.net" }).waitFor();
    await expectAccessible();
  });

  it("send a link to a sender, show the keys that may use it, and remove it", async () => {
    await page.getByRole("link", { name: "Senders" }).click();
    await button("Verify an address").click();
    await page.getByLabel("Email address").fill("news@elsewhere.example");
    await expectAccessible();
    await button("Send link").click();
    await page.getByText("A link was mailed to news@elsewhere.example.").waitFor();
    const row = page.getByRole("row", { name: /news@elsewhere\.example/ });
    await row.getByText("Waits for its link").waitFor();
    await expectAccessible();
    await button("Send a new link: news@elsewhere.example").click();
    await button("Remove news@elsewhere.example").click();
    await dialog().getByRole("button", { name: "Remove", exact: true }).click();
    await row.waitFor({ state: "detached" });
    const { senders } = await core().senders.listSenders({ search: "elsewhere" });
    expect(senders).toEqual([]);
  });

  it("remove a domain", async () => {
    await page.goto(`${world.url}/dashboard/domains/news.example.net`);
    await button("More").click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Remove", exact: true }).click();
    await page.waitForURL("**/dashboard/domains");
    const { domains } = await core().domains.listDomains({});
    expect(domains.map(({ name }) => name)).toEqual([DOMAIN]);
  });
});
