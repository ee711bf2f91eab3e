import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdAnswers, placeOf } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

// A row that moves between the press and the release of the pointer misses the click.
describe.skipIf(browser.missing)(`rows of a list${browser.note}`, () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await openDashboard();
    await world.send();
    const alert = {
      source: "backup",
      event_type: "disk.full",
      message: "Disk is full",
      severity: "critical",
    };
    expect((await world.report(alert)).status).toBe(202);
  });
  afterAll(() => world?.dispose());

  it.each([
    ["suppressions", "/suppressions", "api/suppressions/count", "ada@example.org"],
    ["requests", "/requests", "api/requests/statistics", "POST /v1/email/send"],
    ["alerts", "/alerts", "api/alerts/statistics", "disk.full"],
  ])("of %s stay in their place when the numbers above them arrive", async (_, path, numbers, row) => {
    const { page, leave } = await world.signIn("/");
    if (path === "/suppressions") {
      await page.goto(`${world.url}/dashboard${path}`);
      await page.getByRole("button", { name: "Add an address" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Address" }).fill(row);
      await dialog.getByRole("button", { name: "Add an address" }).click();
      await page.getByRole("cell", { name: row, exact: true }).waitFor();
    }
    const held = await holdAnswers(page, `${world.url}/${numbers}*`);
    await page.goto(`${world.url}/dashboard${path}`);
    await held.asked;
    await page.locator(".reserved").getByText("Loading", { exact: true }).waitFor();
    const shown = page.locator("main tbody").getByText(row).first();
    const before = await placeOf(shown);
    const answered = page.waitForResponse((answer) => answer.url().startsWith(`${world.url}/${numbers}`));
    held.release();
    await (await answered).finished();
    // The numbers have arrived: a count of a reason, or a time below the plot.
    await page
      .locator("main :is(.counts .num, .spread span)")
      .filter({ hasText: /\d/, visible: true })
      .first()
      .waitFor();
    expect(await shown.boundingBox()).toEqual(before);
    await leave();
  });
});
