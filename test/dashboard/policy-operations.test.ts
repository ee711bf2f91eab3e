import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { refuseOnce } from "../harness/refuse-once.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const transportsTo = (host: string) => [{ smtp: { servers: [{ host }] } }];

describe.skipIf(browser.missing)(`versions, queue and actions of routing policies${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let email = "";
  beforeAll(async () => {
    world = await openDashboard();
    email = world.hermod.firstRun.dashboard.email;
    visit = await world.signIn("/policies");
    page = visit.page;
    // A factor that is asked for again, and a policy that is deleted.
    visit.tolerate(/status of 40[34]/);
    await storeVersions();
  });
  afterAll(() => world?.dispose());

  const open = (path: string) => page.goto(`${world.url}/dashboard${path}`);
  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const stored = async (name: string) => (await ask("GET", `/policies/${name}`)).body;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);

  /** Stores a policy in three versions: the second one adds a rule, the third one a limit. */
  async function storeVersions(): Promise<void> {
    const transports = transportsTo("relay.example.com");
    const rules = [{ domains: ["example.org"], transports: transportsTo("partner.example.com") }];
    const limits = { messages_per_minute: 600 };
    const first = await ask("POST", "/policies", { name: "news", transports });
    const second = await ask("PUT", "/policies/news", { revision: first.body.revision, transports, rules });
    const { revision } = second.body;
    const third = await ask("PUT", "/policies/news", { revision, transports, rules, limits });
    expect([first.status, second.status, third.status]).toEqual([201, 200, 200]);
  }

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
    // The first rule adds the whole list.
    await changes.getByText("rules", { exact: true }).waitFor();
    await expectAccessible();
    await page.getByRole("combobox", { name: "Later version", exact: true }).click();
    await page.getByRole("option", { name: /^Version 3,/ }).click();
    await page.getByRole("heading", { name: "Changes from version 1 to version 3" }).waitFor();
    await page.route(isRestoration, refuseOnce());
    await button("Restore").click();
    await dialog().getByText("limits", { exact: true }).waitFor();
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
    // The worker follows within two seconds.
    await eventually(async () => {
      const metrics = await fetch(`${world.hermod.adminUrl}/metrics`).then((answer) => answer.text());
      return metrics.includes("hermod_queue_holds 1") || undefined;
    });
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
    await page.waitForURL("**/policies/-/new?from=operated");
    await page.getByRole("textbox", { name: "Name" }).first().fill("copied");
    await button("Create").click();
    await page.waitForURL("**/policies/copied");
    expect((await stored("copied")).stored_by).toBe("account");
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const tabs = ["", "?tab=try", "?tab=versions&version=2&before=1&after=2", "?tab=queue"];
    for (const path of ["/policies", "/policies/-/new", ...tabs.map((search) => `/policies/news${search}`)]) {
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
    const undeletable = page.getByRole("menuitem", { name: "Delete: not possible for the default" });
    await undeletable.waitFor();
    expect(await undeletable.isDisabled()).toBe(true);
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
