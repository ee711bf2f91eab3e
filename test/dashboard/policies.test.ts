import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const PASSWORD = "quiet meadow lantern 41";

describe.skipIf(browser.missing)(`the settings of routing policies${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/policies");
    page = visit.page;
    // Policies that Hermod refuses in the tests.
    visit.tolerate(/status of (?:409|422)/);
  });
  afterAll(() => world?.dispose());

  const open = (path: string) => page.goto(`${world.url}/dashboard${path}`);
  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const stored = async (name: string) => (await ask("GET", `/policies/${name}`)).body;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const json = () => page.getByRole("textbox", { name: "JSON", exact: true });
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Details" }).getByRole("link", { name, exact: true }).click();
  const group = (name: string) => page.getByRole("group", { name, exact: true });
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  async function pick(within: Locator, label: string, option: string): Promise<void> {
    await within.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  }
  async function save(): Promise<void> {
    await button("Save").click();
    // It goes with the last unsaved change.
    await button("Discard changes").waitFor({ state: "detached" });
  }

  it("creates a policy with a relay, and shows a refused field in the form and in the JSON", async () => {
    await page.getByRole("link", { name: "sandbox", exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "sandbox" }).getByText("Default").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create a policy" }).click();
    await page.getByRole("textbox", { name: "Name" }).first().fill("news");
    await pick(group("Transport 1"), "Kind", "Relay");
    const host = group("Server 1").getByLabel("Host name or IP address");
    await host.fill("127.0.0.1");
    await expectAccessible();
    await button("Create").click();
    const errors = page.getByRole("list", { name: "Errors" });
    await errors.getByRole("button", { name: /\/transports\/0\/smtp\/servers\/0\/host, line \d+/ }).waitFor();
    expect(await host.getAttribute("aria-invalid")).toBe("true");
    await expectAccessible();
    // The pointer leads to the value in the JSON.
    await errors.getByRole("button").first().click();
    expect(await page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
    await host.fill("relay.example.com");
    expect(await errors.count()).toBe(0);
    expect(JSON.parse(await json().inputValue()).transports[0].smtp.servers).toEqual([
      { host: "relay.example.com" },
    ]);
    await button("Create").click();
    await page.waitForURL("**/policies/news");
    await page.getByRole("heading", { level: 1, name: "news" }).waitFor();
    expect(await stored("news")).toMatchObject({
      default: false,
      stored_by: "account",
      transports: [{ smtp: { servers: [{ host: "relay.example.com", port: 587 }], tls: "required" } }],
    });
  });

  it("keeps form and JSON equal, and protects a text that is not JSON yet", async () => {
    await open("/policies/news");
    const text = await json().inputValue();
    await json().fill(text.replace('"transactional"', '"bulk"'));
    expect(await page.getByRole("combobox", { name: "Priority" }).inputValue()).toBe("Bulk");
    await page.getByLabel("Concurrent deliveries").fill("7");
    const typed = JSON.parse(await json().inputValue());
    expect(typed).toMatchObject({ priority: "bulk", limits: { concurrency: 7 } });
    await json().fill("{");
    await page.getByText("This is not JSON:").waitFor();
    expect(await page.getByLabel("Concurrent deliveries").isDisabled()).toBe(true);
    expect(await button("Save").isDisabled()).toBe(true);
    await expectAccessible();
    await button("Discard changes").click();
    expect(await json().inputValue()).toBe(text);
    await page.setViewportSize({ width: 320, height: 800 });
    // On a phone, one of both is shown.
    expect(await json().isVisible()).toBe(false);
    await page.locator(".editor-view").getByText("JSON").click();
    expect([await json().isVisible(), await visit.overflow()]).toEqual([true, 0]);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it("routes one domain by another relay, and proves it before it is stored", async () => {
    await open("/policies/news");
    await button("Add a rule").click();
    const rule = group("Rule 1");
    await rule.getByLabel("Domains of recipients").first().fill("example.org");
    await rule.getByLabel("Domains of recipients").first().press("Enter");
    await group("Rule 1, Transport 1").getByLabel("Host name or IP address").fill("partner.example.com");
    await tab("Try it");
    await page.getByLabel("Recipient address or message id").fill("ada@example.org");
    await button("Explain").click();
    await page.getByText("2 parts differ between the stored and the unsaved policy.").waitFor();
    await page.getByText("Relay partner.example.com:587.").first().waitFor();
    await page.getByText("Rule 1 names example.org and is the first rule that matches.").first().waitFor();
    await expectAccessible();
    expect((await stored("news")).rules).toEqual([]);
    await page.getByLabel("Recipient address or message id").fill("ada@example.net");
    await button("Explain").click();
    await page.getByText("The only rule of the policy does not name example.net.").first().waitFor();
    await save();
    expect((await stored("news")).rules).toMatchObject([
      { domains: ["example.org"], transports: [{ smtp: { servers: [{ host: "partner.example.com" }] } }] },
    ]);
  });

  it("explains the route of a past message", async () => {
    const id = await world.send({ to: "grace@example.org" });
    await eventually(async () =>
      (await ask("GET", `/messages/${id}`)).body.message.state === "captured" ? true : undefined,
    );
    await open("/policies/news?tab=try");
    await page.getByLabel("Recipient address or message id").fill(id);
    await button("Explain").click();
    await page.getByText("The message uses the policy sandbox.").waitFor();
    await page.getByText("Relay partner.example.com:587.").first().waitFor();
    await expectAccessible();
  });

  it("stores a password, never shows it, and keeps it while other settings change", async () => {
    await open("/policies/news");
    const relay = page.getByRole("region", { name: "Transports" });
    await relay.getByLabel("User name").fill("hermod");
    await relay.locator("input[type=password]").fill(PASSWORD);
    await save();
    expect(await relay.locator("input[type=password]").inputValue()).toBe("");
    expect(await json().inputValue()).not.toContain(PASSWORD);
    expect(await visit.secretsLeft()).toEqual([]);
    await page.getByLabel("Messages per minute").fill("600");
    await save();
    const { transports, limits } = await stored("news");
    expect([transports[0].smtp.username, limits]).toEqual(["hermod", { messages_per_minute: 600 }]);
  });

  it("shows both states after another change, and stores the own one only after a decision", async () => {
    await open("/policies/news");
    await page.getByLabel("Messages per minute").fill("900");
    const { revision, transports, rules } = await stored("news");
    const other = await ask("PUT", "/policies/news", { revision, transports, rules, priority: "bulk" });
    expect(other.status).toBe(200);
    await button("Save").click();
    const notice = page
      .getByRole("alert")
      .filter({ hasText: "The stored state has changed since you began" });
    await notice.getByText("limits.messages_per_minute").waitFor();
    await notice.getByText("priority", { exact: true }).waitFor();
    await expectAccessible();
    expect((await stored("news")).limits).toBeUndefined();
    await button("Continue with mine").click();
    await save();
    expect((await stored("news")).limits).toEqual({ messages_per_minute: 900 });
  });

  it("asks before unsaved settings are left", async () => {
    await open("/policies/news");
    await page.getByLabel("Messages per minute").fill("1");
    await page.getByRole("link", { name: "Jobs" }).click();
    await dialog().getByText("Leave without saving?").waitFor();
    await expectAccessible();
    await inDialog("Cancel").click();
    expect(await page.getByLabel("Messages per minute").inputValue()).toBe("1");
    await page.getByRole("link", { name: "Jobs" }).click();
    await inDialog("Leave").click();
    await page.waitForURL("**/jobs");
  });
});
