import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

const ofBackup = { source: "backup", entity_type: "host", entity_id: "backup-1", severity: "warning" };
const late = { ...ofBackup, event_type: "backup.late", message: "The backup is 2 h late" };
const slow = { ...ofBackup, event_type: "disk.slow", message: "The disk answers slowly" };
const other = { ...slow, source: "node", entity_id: "web-1", message: "The disk of web-1 answers slowly" };

describe.skipIf(browser.missing)(`silences${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const report = async (alert: object) => {
    const answer = await world.report(alert);
    expect(answer.ok).toBe(true);
  };
  const incidents = async () => (await ask("GET", "/incidents")).body.data;
  const silences = async () => (await ask("GET", "/silences")).body.data;

  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/silences");
    page = visit.page;
    // Refused settings, broad silences and concurrent changes.
    visit.tolerate(/status of (?:409|422)/);
    const notify = { recipients: ["oncall@example.com"], from: world.hermod.firstRun.sender };
    const match = [{ field: "severity", op: "gte", value: "warning" }];
    expect((await ask("PUT", "/alert-rules/pager", { match, notify })).status).toBe(201);
    for (const alert of [late, slow, other]) await report(alert);
    await eventually(async () => ((await incidents()).length === 3 ? true : undefined));
  });
  afterAll(() => world?.dispose());

  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  const group = (name: string) => page.getByRole("group", { name, exact: true });
  const condition = (number: number) => group(`All of these, condition ${number}`);
  const preview = () => page.getByRole("region", { name: "Preview" });
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const expectShown = (text: string) => preview().getByText(text).waitFor();

  it("silences the backup host every Sunday from 2 to 4, after a preview of its open incidents", async () => {
    await page.getByText("No silences yet").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create a silence" }).first().click();
    await preview().getByText("Fill in the conditions").waitFor();
    await condition(1).getByLabel("Value").fill("backup");
    await expectShown("Suppresses 2 open incidents while it is in effect.");
    await preview().getByRole("link", { name: late.message }).waitFor();
    expect(await preview().getByText(other.message).count()).toBe(0);
    await page.getByText("Every week", { exact: true }).click();
    await page.getByRole("combobox", { name: "Time zone of the windows" }).fill("Europe/Berlin");
    await page.getByRole("option", { name: "Europe/Berlin" }).click();
    expect(await group("Window 1").getByLabel("Sunday").isChecked()).toBe(true);
    await expectShown("Only alerts in the windows count.");
    await page.getByLabel("Reason").fill("Weekly backup");
    await expectAccessible();
    await button("Create").click();
    await page.waitForURL("**/silences/sil_*");
    await page.getByRole("heading", { level: 1, name: "Weekly backup" }).waitFor();
    const [stored] = await silences();
    expect(stored).toMatchObject({
      match: [{ field: "source", op: "eq", value: "backup" }],
      weekly: { time_zone: "Europe/Berlin", windows: [{ days: [7], from: "02:00", to: "04:00" }] },
      comment: "Weekly backup",
    });
    expect(stored.ends_at).toBeUndefined();
    await expectAccessible();
  });

  it("shows a refused field in the form, and an error of the times", async () => {
    await open("/silences/-/new");
    await condition(1).getByLabel("Value").fill("backup");
    await page.getByLabel("End", { exact: false }).fill("2020-01-01T10:00");
    await button("Create").click();
    const errors = page.getByRole("list", { name: "Errors" });
    await errors.getByRole("button", { name: /\/comment, line \d+/ }).waitFor();
    await errors.getByRole("button", { name: /\/ends_at, line \d+/ }).waitFor();
    expect(await page.getByLabel("Reason").getAttribute("aria-invalid")).toBe("true");
    expect(await silences()).toHaveLength(1);
  });

  it("asks for a confirmation before it silences nearly everything", async () => {
    await open("/silences/-/new");
    await group("All of these, condition 1")
      .getByRole("button", { name: /^Remove/ })
      .click();
    await preview().getByText("Hermod asks for a confirmation").waitFor();
    await page.getByLabel("Reason").fill("Move of the data center");
    await button("4 hours").click();
    await button("Create").click();
    await page.getByRole("dialog").getByText("Hermod sends no notices of them").waitFor();
    await expectAccessible();
    await inDialog("Cancel").click();
    expect(await silences()).toHaveLength(1);
    await button("Create").click();
    await inDialog("Silence them").click();
    await page.waitForURL("**/silences/sil_*");
    const [stored] = await silences();
    expect(stored).toMatchObject({ state: "active", match: [], comment: "Move of the data center" });
    const hours = (Date.parse(stored.ends_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(3.9);
    expect(hours).toBeLessThanOrEqual(4);
  });

  it("ends a silence after a question, and begins another one like it", async () => {
    await page.getByText("Notices of matching alerts are suppressed.").waitFor();
    await button("End now").click();
    await expectAccessible();
    await inDialog("End now").click();
    await page.getByText("It ended at").waitFor();
    expect((await silences())[0].state).toBe("expired");
    expect(await button("Save").count()).toBe(0);
    expect(await page.getByLabel("Reason").isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Copy as a new silence" }).click();
    await page.getByRole("heading", { level: 1, name: "Create a silence" }).waitFor();
    expect(await page.getByLabel("Reason").inputValue()).toBe("Move of the data center");
  });

  it("lists silences with their states, and filters them in the address", async () => {
    await open("/silences");
    await row("Weekly backup").getByText("Sunday 02:00–04:00 (Europe/Berlin)").waitFor();
    await row("Move of the data center").getByText("Ended").waitFor();
    await expectAccessible();
    await button(/^State/).click();
    await page.getByRole("menuitemcheckbox", { name: "Ended" }).click();
    await row("Weekly backup").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).searchParams.get("state")).toBe("expired");
    await page.reload();
    await row("Move of the data center").waitFor();
    expect(await row("Weekly backup").count()).toBe(0);
  });

  it("silences an incident with the conditions of its alerts", async () => {
    const found = (await incidents()).find(({ title }: { title: string }) => title.includes(other.message));
    await open(`/incidents/${found.id}`);
    await button("More").click();
    await page.getByRole("menuitem", { name: "Silence this" }).click();
    await expectShown("Suppresses 1 open incident while it is in effect.");
    expect(await page.getByLabel("Reason").inputValue()).toBe(found.title);
    await button("Create").click();
    await page.waitForURL("**/silences/sil_*");
    expect((await silences())[0].match).toEqual([
      { field: "source", op: "eq", value: "node" },
      { field: "event_type", op: "eq", value: "disk.slow" },
      { field: "entity_type", op: "eq", value: "host" },
      { field: "entity_id", op: "eq", value: "web-1" },
    ]);
  });

  it("shows both states after another member has changed the silence, and stores the chosen one", async () => {
    const [{ id, revision, match, ends_at }] = await silences();
    await page.getByLabel("Reason").fill("Mine");
    const theirs = { match, ends_at, comment: "Theirs", if_revision: revision };
    expect((await ask("PUT", `/silences/${id}`, theirs)).status).toBe(200);
    await button("Save").click();
    const notice = page
      .getByRole("alert")
      .filter({ hasText: "The stored state has changed since you began" });
    await notice.getByText("Theirs").waitFor();
    await expectAccessible();
    await notice.getByRole("button", { name: "Continue with mine" }).click();
    await button("Save").click();
    await page.getByText("The silence is saved.").first().waitFor();
    await expect.poll(async () => (await silences())[0].comment).toBe("Mine");
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const paths = (await silences()).map(({ id }: { id: string }) => `/silences/${id}`);
    for (const path of ["/silences", "/silences/-/new", ...paths]) {
      await open(path);
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
