import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { refuseOnce } from "../harness/refuse-once.ts";
import { tool } from "../harness/tools.ts";
import { onWebhookPages, startWebhookReceiver, type WebhookReceiver } from "../harness/webhook-pages.ts";

const browser = tool("chromium");
const TOKEN = "Bearer their-token";
const header = { name: "Authorization" };

describe.skipIf(browser.missing)(`versions of webhook endpoints${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let on: ReturnType<typeof onWebhookPages>;
  let receiver: WebhookReceiver;
  /** Path of the endpoint, on the pages and in the API. */
  let endpoint = "";
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    // The endpoint of these tests is on this machine.
    world = await openDashboard({ HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" });
    visit = await world.signIn("/webhooks");
    page = visit.page;
    on = onWebhookPages(world, visit);
    // A factor that is asked for again, a change of another member, and a value that no header can have.
    visit.tolerate(/status of (?:403|409|422)/);
    await storeVersions();
  });
  afterAll(async () => {
    receiver?.close();
    await world?.dispose();
  });

  const stored = async () => (await on.ask("GET", endpoint)).body;
  const inDialog = (name: string) => on.dialog.getByRole("button", { name, exact: true });
  const valueField = () => on.dialog.getByLabel("Value of Authorization");

  /** Sends a test event, and expects its header. */
  async function expectToken(token: string): Promise<void> {
    const before = receiver.tokens.length;
    expect((await on.ask("POST", `${endpoint}/test`, {})).status).toBe(202);
    await expect.poll(() => receiver.tokens.length).toBe(before + 1);
    expect(receiver.tokens.at(-1)).toBe(token);
  }

  /** Stores an endpoint in three versions: the second one adds a description, the third one has another URL and no header. */
  async function storeVersions(): Promise<void> {
    const types = ["message.complained"];
    const first = { url: receiver.url, types, headers: [{ ...header, value: TOKEN }] };
    const { status, body: created } = await on.ask("POST", "/webhooks", first);
    expect(status).toBe(201);
    endpoint = `/webhooks/${created.id}`;
    for (const settings of [
      { url: receiver.url, types, description: "Complaints", headers: [header] },
      { url: `${receiver.url}/moved`, types, description: "Complaints", headers: [] },
    ]) {
      const { revision } = await stored();
      expect((await on.ask("PUT", endpoint, { ...settings, revision })).status).toBe(200);
    }
  }

  it("shows who changed the settings, and compares any two versions", async () => {
    await on.open(endpoint);
    await page.getByRole("link", { name: "Versions", exact: true }).click();
    await page.waitForURL(/tab=versions/);
    const row = page.getByRole("row").filter({ hasText: "Version 2" }).first();
    await row.getByText(world.hermod.firstRun.dashboard.email).waitFor();
    await on.expectAccessible();
    await row.getByRole("button", { name: "Version 2" }).click();
    await page.waitForURL(/version=2/);
    await page.getByText('"description": "Complaints"').waitFor();
    await on.button("Its changes").click();
    const changes = page.getByRole("region", { name: "Changes from version 1 to version 2" });
    await changes.getByText("description", { exact: true }).waitFor();
    await on.expectAccessible();
    await page.getByRole("combobox", { name: "Later version", exact: true }).click();
    await page.getByRole("option", { name: /^Version 3,/ }).click();
    const all = page.getByRole("region", { name: "Changes from version 1 to version 3" });
    await all.getByText("url", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("their-token");
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 860 });
    await on.open(`${endpoint}?tab=versions&version=1&before=1&after=3`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await on.button("Restore").waitFor();
    await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
    expect(await visit.overflow()).toBe(0);
    await on.button("Restore").click();
    await valueField().waitFor();
    await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
    expect(await visit.overflow()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it("restores a version with a factor, and asks for values of headers that Hermod does not have", async () => {
    await on.open(`${endpoint}?tab=versions&version=2`);
    await on.button("Restore").click();
    await on.dialog.getByText("Hermod has no value of these headers").waitFor();
    await on.dialog.getByText("url", { exact: true }).waitFor();
    expect(await valueField().getAttribute("type")).toBe("password");
    await on.expectAccessible();
    // The browser asks for the value before anything is sent.
    await inDialog("Restore").click();
    expect(await on.dialog.locator("input:invalid").count()).toBe(1);
    await valueField().fill("Schlüssel");
    await inDialog("Restore").click();
    await on.dialog.getByRole("alert").first().waitFor();
    expect(await valueField().getAttribute("aria-invalid")).toBe("true");
    await on.expectAccessible();
    expect((await stored()).url).toBe(`${receiver.url}/moved`);
    await page.route(isRestoration, refuseOnce());
    await valueField().fill(TOKEN);
    await inDialog("Restore").click();
    const again = on.dialog.filter({ hasText: "Confirm that it is you" });
    await again.locator("input[type=password]").fill(world.password);
    await again.getByRole("button", { name: "Continue" }).click();
    await page.getByText("restores version 2").waitFor();
    await on.dialog.first().waitFor({ state: "detached" });
    await page.unroute(isRestoration);
    expect(await stored()).toMatchObject({
      url: receiver.url,
      description: "Complaints",
      headers: [header],
    });
    const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    expect([page.url(), await page.content(), kept].join("\n")).not.toContain("their-token");
    await expectToken(TOKEN);
  });

  it("keeps present values of headers at the same URL, and never overwrites another member's change", async () => {
    await on.open(`${endpoint}?tab=versions&version=1`);
    await on.button("Restore").click();
    await on.dialog.getByText("description", { exact: true }).waitFor();
    expect(await valueField().count()).toBe(0);
    const { url, types, description, headers, revision } = await stored();
    const theirs = { url, types, description, headers, revision, rate_per_second: 5 };
    expect((await on.ask("PUT", endpoint, theirs)).status).toBe(200);
    const reloaded = page.waitForResponse(
      (response) => response.request().method() === "GET" && response.url().endsWith(`/api${endpoint}`),
    );
    await inDialog("Restore").click();
    await on.dialog.getByRole("alert").first().waitFor();
    await reloaded;
    expect((await stored()).rate_per_second).toBe(5);
    // The dialog shows the present changes before the next try.
    await on.dialog.getByText("rate_per_second", { exact: true }).waitFor();
    await on.expectAccessible();
    await inDialog("Restore").click();
    await page.getByText("restores version 1").waitFor();
    const restored = await stored();
    expect(restored).toMatchObject({ url: receiver.url, description: "", headers: [header] });
    expect(restored).not.toHaveProperty("rate_per_second");
    await expectToken(TOKEN);
  });
});

const isRestoration = (url: URL) => url.pathname.endsWith("/restore");
