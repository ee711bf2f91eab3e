import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problem } from "../../contracts/common/problem.ts";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const PASSWORD = "quiet meadow lantern 41";

describe.skipIf(browser.missing)(`the pages of routing policies${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let email = "";
  beforeAll(async () => {
    world = await openDashboard();
    email = world.hermod.firstRun.dashboard.email;
    visit = await world.signIn("/policies");
    page = visit.page;
    // Policies that Hermod refuses in the tests, and a factor that is asked for again.
    visit.tolerate(/status of (?:40[349]|422)/);
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
    const notice = page.getByRole("alert").filter({ hasText: "The policy has changed since you began" });
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

  it("finds who changed a policy, compares any two versions, and restores one with a factor", async () => {
    const { revision } = await stored("news");
    await open("/policies/news?tab=versions");
    const row = page.getByRole("row").filter({ hasText: "Version 2" }).first();
    await row.getByText(email).waitFor();
    await expectAccessible();
    await row.getByRole("button", { name: "Version 2" }).click();
    await page.waitForURL(/version=2/);
    await button("Its changes").click();
    const changes = page.getByRole("region", { name: "Changes from version 1 to version 2" });
    await changes.getByText("rules.0").waitFor();
    await expectAccessible();
    await pick(page.getByRole("region", { name: "Compare two versions" }), "Later version", await latest());
    await page.getByRole("heading", { name: /^Changes from version 1 to version [3-9]/ }).waitFor();
    await page.route(isRestoration, refuseOnce());
    await button("Restore").click();
    await expectAccessible();
    await inDialog("Restore").click();
    const again = dialog().filter({ hasText: "Confirm that it is you" });
    await again.locator("input[type=password]").fill(world.password);
    await again.getByRole("button", { name: "Continue" }).click();
    await page.getByText("restores version 2").waitFor();
    await page.unroute(isRestoration);
    const restored = await stored("news");
    expect(restored.revision).not.toBe(revision);
    expect([restored.limits, restored.rules.length]).toEqual([undefined, 1]);
  });

  /** The option of the newest version. */
  async function latest(): Promise<string> {
    const { data } = (await ask("GET", "/policies/news/versions")).body;
    const field = page.getByRole("combobox", { name: "Later version" });
    await field.click();
    const options = await page.getByRole("option").allTextContents();
    await page.keyboard.press("Escape");
    return options.find((text) => text.startsWith(`Version ${data[0].version},`)) ?? "";
  }

  it("holds the queue of one destination, explains that messages wait, and releases it", async () => {
    await open("/policies/news?tab=queue");
    await page.getByText("No hold covers messages of this policy").waitFor();
    await expectAccessible();
    await button("Hold the queue").click();
    await dialog().getByLabel("Destination").fill("example.org");
    await dialog().getByLabel("Reason").fill("The partner is down");
    await expectAccessible();
    await inDialog("Hold").click();
    await dialog().waitFor({ state: "detached" });
    const hold = page.getByRole("row").filter({ hasText: "The partner is down" });
    await hold.getByText("example.org", { exact: true }).waitFor();
    await hold.getByText(email).waitFor();
    const id = await world.send({ to: "bob@example.org", routing_policy: "news" });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole("region", { name: "Holds" }).first().waitFor();
          return page.getByText("1 message waits.").count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect((await ask("GET", `/messages/${id}`)).body.message.state).toBe("queued");
    await expectAccessible();
    await open("/policies");
    await page.getByRole("row").filter({ hasText: "news" }).getByText("Held: example.org").waitFor();
    await open("/policies/news?tab=queue");
    await button("Release: example.org").click();
    await expectAccessible();
    await inDialog("Release").click();
    await page.getByText("No hold covers messages of this policy").waitFor();
    expect((await ask("GET", "/policies/news/queue")).body.holds).toEqual([]);
  });

  it("shows a policy of the operator read only, with the reason, and copies it", async () => {
    const transports = [{ kind: { case: "direct" as const, value: {} } }];
    await world.hermod.core.policies.putPolicy({ policy: { name: "operated", transports } });
    await open("/policies/operated");
    await page.getByText("The operator stored this policy.").waitFor();
    expect(await page.getByLabel("Messages per minute").isDisabled()).toBe(true);
    expect([await button("Save").count(), await button("Make default").count()]).toEqual([0, 0]);
    await expectAccessible();
    await button("Copy as a new policy").click();
    await page.waitForURL("**/policies/new?from=operated");
    await page.getByRole("textbox", { name: "Name" }).first().fill("copied");
    await button("Create").click();
    await page.waitForURL("**/policies/copied");
    expect((await stored("copied")).stored_by).toBe("account");
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const tabs = ["", "?tab=try", "?tab=versions&version=2&before=1&after=2", "?tab=queue"];
    for (const path of ["/policies", "/policies/new", ...tabs.map((search) => `/policies/news${search}`)]) {
      await open(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it("makes a policy the default, and deletes one with its remaining effects", async () => {
    await open("/policies/copied");
    await button("Make default").click();
    await expectAccessible();
    await inDialog("Make default").click();
    await dialog().waitFor({ state: "detached" });
    expect((await stored("copied")).default).toBe(true);
    await button("More").click();
    expect(await page.getByRole("menuitem").first().isDisabled()).toBe(true);
    await open("/policies/news");
    await button("More").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog().getByText("Messages that wait still use it").waitFor();
    await expectAccessible();
    await inDialog("Remove").click();
    await dialog().getByText("Messages that wait can use the policy until").waitFor();
    await inDialog("Show the messages that wait").click();
    await page.getByText("The policy is deleted. Messages that wait still use it.").waitFor();
    await page.getByText("No hold covers messages of this policy").waitFor();
    await expectAccessible();
    await open("/policies");
    expect((await ask("GET", "/policies/news")).status).toBe(404);
    await page.getByRole("link", { name: "copied", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "news", exact: true }).count()).toBe(0);
  });
});

const isRestoration = (url: URL) => url.pathname.endsWith("/restore");

/** Answers the first restoration like Hermod ten minutes after a factor was shown. */
function refuseOnce() {
  let hasRefused = false;
  return async (route: Route) => {
    if (hasRefused) return route.continue();
    hasRefused = true;
    const body = problem.parse({
      type: "/docs/errors#auth.reauthentication_required",
      title: "A factor is needed again",
      status: 403,
      detail: "Show a factor again.",
      instance: "/api/policies/news/restore",
      code: "auth.reauthentication_required",
      sx_trace_id: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9",
      errors: [],
    });
    return route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify(body),
    });
  };
}
