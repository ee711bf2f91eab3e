import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

describe.skipIf(browser.missing)(`keys, sandbox, suppressions and requests${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/keys");
    // Keys and fields that Hermod refuses in the tests.
    visit.tolerate(/status of (?:422|403)/);
  });
  afterAll(() => world?.dispose());

  const open = (path: string) => visit.page.goto(`${world.url}/dashboard${path}`);
  /** Returns the secret of the dialog that shows it, and closes the dialog. */
  async function takeSecret(): Promise<string> {
    const dialog = visit.page.getByRole("dialog");
    const secret = (await dialog.locator("code").first().textContent()) ?? "";
    await dialog.getByRole("button", { name: "Copy: API key" }).waitFor();
    expect(await dialog.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await dialog.getByLabel("I have stored it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await visit.page.content()).not.toContain(secret);
    expect(await visit.secretsLeft()).toEqual([]);
    return secret;
  }
  const statusOf = async (key: string) => (await world.sendWith(key)).status;
  let former = "";

  it("creates a key that sends, with its secret shown once", async () => {
    const { page, violations } = visit;
    await page.getByRole("button", { name: "Create a key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("shop backend");
    expect(await violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Create a key" }).click();
    former = await takeSecret();
    expect(await statusOf(former)).toBe(202);
  });

  it("finds the key by its text and state, and never puts a secret into the address", async () => {
    const { page } = visit;
    await page.getByRole("searchbox", { name: "Search keys" }).fill(former);
    await page.waitForURL("**/keys?query=hm_live_*");
    expect(page.url()).not.toContain(former);
    await page.getByRole("link", { name: "shop backend" }).waitFor();
    await open("/keys?state=revoked");
    await page.getByText("No key matches these filters").waitFor();
    await open("/keys");
    await page.getByRole("link", { name: "shop backend" }).click();
    await page.getByRole("heading", { level: 1, name: "shop backend" }).waitFor();
  });

  it("narrows the access of the key, keeps its secret, and shows an error at its field", async () => {
    const { page, violations } = visit;
    await page.getByRole("button", { name: "Change access" }).click();
    const dialog = page.getByRole("dialog");
    expect(await violations()).toEqual([]);
    await dialog.getByRole("radio", { name: "Chosen permissions" }).check();
    await dialog.getByRole("checkbox", { name: "Send mail" }).check();
    const addresses = dialog.getByLabel("Allowed IP addresses", { exact: true }).first();
    await addresses.fill("203.0.113.0/33");
    await addresses.press("Enter");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").waitFor();
    await addresses.press("Backspace");
    await addresses.fill("203.0.113.0/24");
    await addresses.press("Enter");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("203.0.113.0/24").waitFor();
    await expect.poll(() => statusOf(former), { timeout: 30_000 }).toBe(403);
    await page.getByRole("button", { name: "Change access" }).click();
    await addresses.press("Backspace");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => statusOf(former), { timeout: 30_000 }).toBe(202);
  });

  it("replaces the key without an outage, and shows the last use of the former one", async () => {
    const { page, violations } = visit;
    await page.getByRole("button", { name: "Replace" }).click();
    expect(await violations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
    const next = await takeSecret();
    expect([await statusOf(former), await statusOf(next)]).toEqual([202, 202]);
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByText("Another key has replaced this one.").waitFor();
          return page.getByText("A program still uses it: last by HTTP from 127.0.0.1").count();
        },
        { timeout: 40_000 },
      )
      .toBe(1);
    await page.getByText("As a table").first().waitFor();
    expect(await violations()).toEqual([]);
  });

  it("leads from a key to its requests, and from a minute to the answers of the API", async () => {
    const { page, violations } = visit;
    await page.getByRole("link", { name: "Its requests" }).click();
    await page.waitForURL("**/requests?key_id=key_*");
    await page.getByText("auth.address_not_allowed").first().waitFor();
    expect(await page.getByText("POST /v1/email/send").count()).toBeGreaterThan(1);
    const span = "from=2000-01-01T13:57:00.000Z&until=2000-01-01T14:07:00.000Z";
    await open(`/requests?${span}`);
    await page.getByText("No request matches these filters").waitFor();
    expect(await page.locator("input[type=datetime-local]").inputValue()).toMatch(/T\d\d:02$/);
    expect(await violations()).toEqual([]);
    await page.locator("input[type=datetime-local]").fill("");
    await page.getByText("POST /v1/email/send").first().waitFor();
  });

  it("plots the requests by status, and leads from a point to its requests", async () => {
    const { page, violations } = visit;
    await open("/requests");
    const plot = page.getByRole("region", { name: "Requests by status" }).first();
    await plot.waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole("link", { name: "30 d", exact: true }).click();
    await page.waitForURL(/period=30d/);
    await plot.getByText("As a table").click();
    await plot
      .getByRole("button", { name: /^Requests of / })
      .last()
      .click();
    await page.waitForURL(/from=.*until=/);
    await page.getByText("POST /v1/email/send").first().waitFor();
  });

  it("revokes a key, and its requests are refused", async () => {
    const { page, violations } = visit;
    await open("/keys?state=replaced");
    await page.getByRole("link", { name: "shop backend" }).click();
    await page.getByRole("button", { name: "Revoke" }).click();
    expect(await violations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The key is revoked: requests with it are refused.").waitFor();
    await expect.poll(() => statusOf(former), { timeout: 30_000 }).toBe(401);
  });

  it("finds a captured message by its recipient, and checks it", async () => {
    await world.send({
      to: "grace@example.org",
      subject: "Welcome to the shop",
      html: '<p style="display:flex">Hello <a href="http://shop.example/{{ path }}">you</a></p>',
    });
    const { page, violations } = visit;
    await open("/sandbox?recipient=GRACE@");
    await page.getByRole("link", { name: /Welcome to the shop/ }).waitFor({ timeout: 30_000 });
    expect(await page.locator(".mails li").count()).toBe(1);
    await page.getByRole("link", { name: "Checks" }).click();
    await page.getByText("The address contains an unfilled placeholder of a template").first().waitFor();
    await page.getByText("Outlook for Windows drops it.").first().waitFor();
    expect(await page.locator(".tabs [aria-current]").allTextContents()).toEqual(["Checks"]);
    expect(await violations()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    // On a phone, an opened message replaces the list.
    expect(await page.locator(".mails").isVisible()).toBe(false);
    await page.getByRole("link", { name: "All captured mail" }).click();
    await page.locator(".mails").waitFor();
    await page.setViewportSize({ width: 1280, height: 860 });
    await open("/sandbox?subject=nothing");
    await page.getByText("No captured mail matches these filters").waitFor();
  });

  it("imports suppressions, counts them by reason, and removes those of a filter after showing their number", async () => {
    const { page, violations } = visit;
    await open("/suppressions");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Import a file" }).click();
    const dialog = page.getByRole("dialog");
    const rows = Array.from({ length: 30 }, (_, n) => `a${n}@example.net,hard_bounce`);
    const long = `${"a-long-name-".repeat(5)}@a-long-domain-that-no-phone-is-wide-enough-for.example.net,complaint`;
    const csv = ["email,reason", ...rows, "told@example.net,complaint", long, "wrong,manual"].join("\r\n");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await dialog.getByText("Row 34, wrong:").waitFor();
    expect(await violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Import 32 addresses" }).click();
    await dialog.getByText("Imported.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    const bounced = page.getByRole("button", { name: /^Bounced/ });
    await expect.poll(() => bounced.textContent()).toBe("Bounced30");
    expect(await violations()).toEqual([]);
    await bounced.click();
    await page.waitForURL("**/suppressions?reason=hard_bounce");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Remove all that match" }).click();
    await dialog.getByRole("button", { name: "Remove 30" }).waitFor();
    expect(await violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Remove 30" }).click();
    await dialog.getByText("30 entries were removed.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("No address matches these filters").waitFor();
    await open("/suppressions?days=1");
    await page.getByRole("cell", { name: "told@example.net", exact: true }).waitFor();
    expect(await visit.overflow()).toBe(0);
    expect(await violations()).toEqual([]);
  });

  it("shows each list without an accessibility error", async () => {
    const { page, violations } = visit;
    for (const path of ["/keys", "/sandbox?view=checks", "/suppressions", "/requests"]) {
      await open(path);
      await page.locator("table:visible, .findings").first().waitFor();
      expect([path, await violations()]).toEqual([path, []]);
    }
  });
});
