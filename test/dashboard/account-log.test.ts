import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

describe.skipIf(browser.missing)(`audit log and limits of an account${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let email = "";
  beforeAll(async () => {
    world = await openDashboard();
    email = world.hermod.firstRun.dashboard.email;
    visit = await world.signIn("/account/audit");
    page = visit.page;
  });
  afterAll(() => world?.dispose());

  const open = (path: string) => page.goto(`${world.url}/dashboard${path}`);
  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const opener = (name: string) => page.getByRole("button", { name, exact: true });
  const pick = async (label: string, option: string) => {
    await page.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };

  async function changePolicy(): Promise<void> {
    const transports = [{ sandbox: {} }];
    const created = await ask("POST", "/policies", { name: "relay", transports, max_age_seconds: 3600 });
    expect(created.status).toBe(201);
    const { revision } = created.body;
    const replaced = await ask("PUT", "/policies/relay", { revision, transports, max_age_seconds: 7200 });
    expect(replaced.status).toBe(200);
  }

  it("finds the member who changed a policy, and shows the change before and after", async () => {
    await changePolicy();
    await open("/account/audit");
    await pick("Action", "Routing policies");
    await page.waitForURL(/action=policy/);
    const row = page.getByRole("row").filter({ hasText: "relay" }).first();
    await row.getByText(email).waitFor();
    await row.getByRole("button").click();
    await page.waitForURL(/entry=aud_/);
    const changes = page.getByRole("region", { name: "Changed fields" });
    await changes.getByText("3600").waitFor();
    await changes.getByText("7200").waitFor();
    expect(await changes.locator("mark.extra").allTextContents()).toContain("3600000");
    await expectAccessible();
    // The address opens the same entry for a colleague.
    await page.reload();
    await changes.getByText("7200").waitFor();
    await opener("Only this target").click();
    await page.waitForURL(/target_id=/);
    expect(await changes.count()).toBe(0);
    await row.getByText(email).waitFor();
  });

  it("takes its filters from the address alone", async () => {
    await open("/account/audit?action=policy&outcome=refused");
    await page.getByText("No entry matches these filters").waitFor();
    // The chosen option again removes the filter.
    await pick("Outcome", "Refused");
    await page.getByRole("row").filter({ hasText: "relay" }).first().waitFor();
    await open("/account/audit?action=policy&from=2000-01-01T00:00:00.000Z&until=2000-01-02T00:00:00.000Z");
    await page.getByText("No entry matches these filters").waitFor();
    await page.goBack();
    await page.getByRole("row").filter({ hasText: "relay" }).first().waitFor();
    await open("/account/audit");
    await pick("By", email);
    await page.waitForURL(/actor_id=usr_/);
    const { user_id } = (await ask("GET", "/session")).body;
    expect(new URL(page.url()).searchParams.get("actor_id")).toBe(user_id);
    await expectAccessible();
  });

  it("marks no difference where a field had no value before", async () => {
    await open("/account/audit?action=policy.put");
    await page.getByRole("row").filter({ hasText: "relay" }).last().getByRole("button").click();
    const changes = page.getByRole("region", { name: "Changed fields" });
    await changes.getByText("none", { exact: true }).first().waitFor();
    expect(await changes.locator("mark").count()).toBe(0);
  });

  it("exports a week in two clicks, and records the export", async () => {
    await open("/account/audit");
    await expectAccessible();
    await opener("Export").click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "The last 7 days, as CSV" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
    expect(lines[0]).toContain("action");
    expect(lines.some((line) => line.includes("policy.put") && line.includes(email))).toBe(true);
    await open("/account/audit?action=audit");
    await page.getByRole("row").filter({ hasText: email }).first().getByText("Read").waitFor();
  });

  it("shows each limit with its use, as the API does", async () => {
    await open("/account/limits");
    const { limits } = (await ask("GET", "/installation")).body;
    const policies = limits.resources.find(
      ({ resource }: { readonly resource: string }) => resource === "policies",
    );
    const row = page.getByRole("row").filter({ hasText: "Routing policies" });
    await row.waitFor();
    expect(await row.locator("td").allTextContents()).toEqual([
      "Routing policies",
      "",
      policies.used.toLocaleString("en"),
      policies.limit.toLocaleString("en"),
    ]);
    expect(policies.used).toBeGreaterThan(0);
    await page.getByText("Size, encoded for delivery").waitFor();
    await expectAccessible();
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 860 });
    const { id } = (await ask("GET", "/audit?action=policy")).body.data[0];
    for (const path of [`/account/audit?action=policy&entry=${id}`, "/account/limits"]) {
      await open(path);
      await page.getByRole("table").first().waitFor();
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
  });
});
