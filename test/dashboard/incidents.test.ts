import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

const disk = { event_type: "disk.full", source: "node-exporter", entity_type: "host" };
const full = { ...disk, severity: "critical", message: "/var is 97 % full", entity_id: "web-1" };
const filling = { ...disk, severity: "warning", message: "/tmp is 91 % full", entity_id: "web-2" };
const late = { event_type: "backup.late", source: "cron", severity: "info", message: "Backup is 2 h late" };

describe.skipIf(browser.missing)(`incidents and alerts${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  /** Ids of the incidents of both full disks. */
  let critical: string;
  let warning: string;

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const report = async (alert: object) => {
    const answer = await world.report(alert);
    expect(answer.ok).toBe(true);
  };
  const incidentOf = ({ entity_id: host }: typeof full) =>
    eventually(async () => {
      const { data } = (await ask("GET", "/incidents")).body;
      return data.find(({ latest }: { latest: { entity_id: string } }) => latest.entity_id === host)?.id as
        | string
        | undefined;
    });
  const stateOf = async (id: string) => (await ask("GET", `/incidents/${id}`)).body.incident.state;

  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/incidents");
    page = visit.page;
    await page.getByText("No incidents yet").waitFor();
    const notify = { recipients: ["oncall@example.com"], from: world.hermod.firstRun.sender };
    const match = [{ field: "severity", op: "gte", value: "warning" }];
    const rule = await ask("PUT", "/alert-rules/pager", { match, notify });
    expect(rule.status).toBe(201);
    for (const alert of [full, filling, late]) await report(alert);
    critical = await incidentOf(full);
    warning = await incidentOf(filling);
  });
  afterAll(() => world?.dispose());

  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  const more = async (name: string) => {
    await button("More").click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);

  it("shows new incidents and their changes live, and filters them in the address", async () => {
    await row(full.message).waitFor();
    await row(filling.message).waitFor();
    await expectAccessible();
    expect((await ask("POST", `/incidents/${warning}/acknowledge`)).status).toBe(200);
    await row(filling.message).getByText("Acknowledged").waitFor();
    await button(/^State/).click();
    await page.getByRole("menuitemcheckbox", { name: "Acknowledged" }).click();
    await row(full.message).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).searchParams.get("state")).toBe("acknowledged");
    await page.reload();
    await row(filling.message).waitFor();
    expect(await row(full.message).count()).toBe(0);
    await button("Clear filters").click();
    await page.getByRole("searchbox", { name: "Search incidents" }).fill("web-1");
    await row(filling.message).waitFor({ state: "detached" });
    await row(full.message).waitFor();
    await open("/incidents?rule=other");
    await page.getByText("No incident matches these filters").waitFor();
  });

  it("acknowledges an incident and withdraws it, and the history names the actor", async () => {
    await open("/incidents");
    await row(full.message).getByRole("link", { name: full.message }).click();
    await page.getByRole("heading", { level: 1, name: full.message }).waitFor();
    await page.getByRole("link", { name: "Message 1" }).first().waitFor();
    await expectAccessible();
    await button("Acknowledge").click();
    await page.getByText("admin@example.com acknowledged the incident").waitFor();
    expect(await stateOf(critical)).toBe("acknowledged");
    await more("Withdraw the acknowledgment");
    await button("Acknowledge").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Acknowledgment withdrawn" }).waitFor();
    expect(await stateOf(critical)).toBe("open");
  });

  it("adds a note, and assigns the incident to a member", async () => {
    await page.getByLabel("Note", { exact: true }).fill("The disk is being replaced.");
    await button("Add the note").click();
    const note = page.getByRole("listitem").filter({ hasText: "The disk is being replaced." });
    await note.getByText("Note of admin@example.com").waitFor();
    expect(await page.getByLabel("Note", { exact: true }).inputValue()).toBe("");
    await more("Assign");
    await expectAccessible();
    await inDialog("Assign").click();
    await page.getByRole("definition").filter({ hasText: "admin@example.com" }).waitFor();
    const { incident } = (await ask("GET", `/incidents/${critical}`)).body;
    expect([incident.notes, incident.assignee.email]).toEqual([1, "admin@example.com"]);
  });

  it("snoozes an incident, and ends the snooze", async () => {
    await more("Snooze");
    await expectAccessible();
    await inDialog("Snooze").click();
    await page.getByText("admin@example.com snoozed the incident until").waitFor();
    const { snoozed_until: until } = (await ask("GET", `/incidents/${critical}`)).body.incident;
    const minutes = (Date.parse(until) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60);
    await more("End the snooze");
    await page.getByText("The incident is not acknowledged.").waitFor();
    expect((await ask("GET", `/incidents/${critical}`)).body.incident.snoozed_until).toBeUndefined();
  });

  it("resolves an incident after a question, and opens it again", async () => {
    await button("Resolve").click();
    await expectAccessible();
    await inDialog("Resolve").click();
    await page.getByText("admin@example.com resolved the incident at").waitFor();
    expect(await stateOf(critical)).toBe("resolved");
    await button("Reopen").click();
    await inDialog("Reopen").click();
    await button("Acknowledge").waitFor();
    expect(await stateOf(critical)).toBe("open");
  });

  it("acknowledges selected incidents, and resolves all matches, each after a count", async () => {
    await open("/incidents");
    for (const { message } of [full, filling])
      await row(message)
        .getByRole("checkbox", { name: /^Select: / })
        .check();
    const selection = page.getByRole("region", { name: "2 incidents selected" });
    await selection.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("2 incidents are selected.").waitFor();
    await page.getByText('"Acknowledge" is possible for 1 incident of them now.').waitFor();
    await expectAccessible();
    await inDialog("Acknowledge: 1 incident").click();
    await page.waitForURL("**/jobs/*");
    await expect.poll(() => stateOf(critical), { timeout: 30_000 }).toBe("acknowledged");
    await open("/incidents?rule=pager");
    await button("All matches").click();
    await page.getByRole("menuitem", { name: "Resolve" }).click();
    await inDialog("Resolve: 2 incidents").click();
    await page.waitForURL("**/jobs/*");
    for (const id of [critical, warning])
      await expect.poll(() => stateOf(id), { timeout: 30_000 }).toBe("resolved");
  });

  it("lists alerts with their results, and finds those without a rule", async () => {
    await open("/alerts");
    await row(full.message).getByText("Notified").waitFor();
    await row(late.message).getByText("No rule").waitFor();
    await page.getByRole("heading", { name: "Active alerts" }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Alerts without a rule" }).click();
    await row(full.message).waitFor({ state: "detached" });
    await row(late.message).waitFor();
    expect(new URL(page.url()).searchParams.get("outcome")).toBe("unmatched");
    await page.reload();
    await row(late.message).waitFor();
    await button("Clear filters").click();
    await row(full.message).waitFor();
    await open("/alerts?source=nothing");
    await page.getByText("No alert matches these filters").waitFor();
  });

  it("explains the result of an alert, with its incident and its message", async () => {
    await open("/alerts");
    await page.getByRole("link", { name: full.message }).click();
    await page.getByText("A rule notified the alert, or will notify it.").waitFor();
    await row("pager, version 1").getByText("It notifies the alert.").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Incident 1" }).click();
    await page.waitForURL(`**/incidents/${critical}`);
  });

  it("makes a rule of an alert that no rule matched", async () => {
    await open("/alerts?outcome=unmatched");
    await page.getByRole("link", { name: late.message }).click();
    await page.getByText("No rule matched the alert.").waitFor();
    await page.getByRole("link", { name: "Make a rule of this" }).click();
    await button("Evaluate").click();
    await page.getByText("It notifies the alert.").waitFor();
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await page.getByText("The rule matches 1 of 3 alerts.").waitFor();
    await page.getByText("It did not match 1 of them at their arrival.").waitFor();
    await row(late.message).getByText("Now matched").waitFor();
    await expectAccessible();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("backups");
    await button("Create").click();
    await page.waitForURL("**/alert-rules/backups");
    expect((await ask("GET", "/alert-rules/backups")).body.settings.match).toEqual([
      { field: "event_type", op: "eq", value: "backup.late" },
      { field: "source", op: "eq", value: "cron" },
    ]);
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const { data } = (await ask("GET", "/alerts")).body;
    const ofAlert = [`/alerts/${data[0].id}`, `/alert-rules/-/new?alert=${data[0].id}`];
    for (const path of ["/incidents", `/incidents/${critical}`, "/alerts", ...ofAlert]) {
      await open(path);
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it("fits into 1280 px with the longest values of each column", async () => {
    const longest = {
      state: "acknowledged",
      severity: "critical",
      firing: 10_000,
      alerts: 10_000,
      opened_at: "2030-09-20T20:00:00.000Z",
      assignee: { id: "usr_1", email: `${"on-call.".repeat(20)}@example.com` },
      rule: "pager-".repeat(10),
    };
    await page.route(`${world.url}/api/incidents?*`, async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = (await answer.json()) as { readonly data: readonly object[] };
      await route.fulfill({
        response: answer,
        json: { ...rest, data: data.map((one) => ({ ...one, ...longest })) },
      });
    });
    await open("/incidents");
    await row("on-call.").first().waitFor();
    expect(await visit.overflow()).toBe(0);
    await page.unrouteAll();
  });
});
