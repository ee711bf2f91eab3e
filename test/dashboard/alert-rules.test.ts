import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

describe.skipIf(browser.missing)(`alert rules and inhibitions${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/alert-rules");
    page = visit.page;
    // Settings that Hermod refuses in the tests, and a deleted rule.
    visit.tolerate(/status of (?:404|409|422)/);
  });
  afterAll(() => world?.dispose());

  const open = (path: string) => page.goto(`${world.url}/dashboard${path}`);
  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const stored = async (name: string) => (await ask("GET", `/alert-rules/${name}`)).body;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const json = () => page.getByRole("textbox", { name: "JSON", exact: true });
  const group = (name: string) => page.getByRole("group", { name, exact: true });
  /** The first field with this label: a section or a group can have the same name. */
  const field = (label: string) =>
    page
      .locator("input")
      .and(page.getByLabel(new RegExp(`^${label}( \\*)?$`)))
      .first();
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Details" }).getByRole("link", { name, exact: true }).click();
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  async function pick(within: Locator, label: string, option: string): Promise<void> {
    await within.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  }
  async function addTag(label: string, text: string): Promise<void> {
    await field(label).fill(text);
    await field(label).press("Enter");
  }
  async function save(): Promise<void> {
    await button("Save").click();
    // It goes with the last unsaved change.
    await button("Discard changes").waitFor({ state: "detached" });
  }

  it("creates a rule, and shows a refused field in the form and in the JSON", async () => {
    await page.getByText("No alert rules yet").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create a rule" }).click();
    await field("Name").fill("pager");
    await field("From").fill(world.hermod.firstRun.sender);
    await addTag("Recipients", "nobody");
    await expectAccessible();
    await button("Create").click();
    const errors = page.getByRole("list", { name: "Errors" });
    await errors.getByRole("button", { name: /\/notify\/recipients\/0, line \d+/ }).waitFor();
    expect(await field("Recipients").getAttribute("aria-invalid")).toBe("true");
    await field("Recipients").press("Backspace");
    await addTag("Recipients", "oncall@example.com");
    expect(await errors.count()).toBe(0);
    await button("Create").click();
    await page.waitForURL("**/alert-rules/pager");
    await page.getByText("The rule is saved.").waitFor();
    expect((await stored("pager")).settings).toMatchObject({
      match: [{ field: "severity", op: "gte", value: "warning" }],
      notify: { recipients: ["oncall@example.com"], from: world.hermod.firstRun.sender },
    });
  });

  it("edits conditions, quiet hours and escalation in the form, and keeps the JSON equal", async () => {
    await open("/alert-rules/pager");
    await button("Add a condition: All of these").click();
    const condition = group("All of these, condition 2");
    await condition.getByLabel("Field").fill("context.used");
    await pick(condition, "Operator", "is at least");
    await pick(condition, "Type", "Number");
    await condition.getByLabel("Value").fill("90");
    await button("Add quiet hours").click();
    await group("Quiet hours 1").getByLabel("From").fill("23:00");
    await group("Quiet hours 1").getByLabel("Sunday").check();
    await button("Add a step").click();
    await addTag("Recipients of the step", "lead@example.com");
    const typed = JSON.parse(await json().inputValue());
    expect(typed.match[1]).toEqual({ field: "context.used", op: "gte", value: 90 });
    expect(typed.notify.quiet_hours.windows).toEqual([{ days: [7], from: "23:00", to: "07:00" }]);
    await expectAccessible();
    await save();
    expect((await stored("pager")).settings.notify.escalation).toEqual([
      { after_seconds: 900, recipients: ["lead@example.com"], targets: [], on_call_schedules: [] },
    ]);
    await json().fill("{");
    await page.getByText("This is not JSON:").waitFor();
    expect(await page.getByLabel("Description").isDisabled()).toBe(true);
    await button("Discard changes").click();
  });

  it("chooses on-call schedules and alert targets of the account for a rule and for a step", async () => {
    const layer = {
      name: "Weekly",
      participants: [{ address: "ada@example.net" }],
      starts_at: "2030-01-07T09:00:00Z",
      time_zone: "Europe/Berlin",
      shift: { length: 1, unit: "week" },
    };
    const schedule = { layers: [layer], fallback_recipients: ["ops@example.com"] };
    expect((await ask("PUT", "/on-call-schedules/primary", schedule)).status).toBeLessThan(300);
    const target = await ask("POST", "/alert-targets", {
      kind: "slack",
      name: "ops-channel",
      url: "https://hooks.slack.example.com/services/T000/B000/XXXX",
    });
    expect(target.status).toBe(201);
    await open("/alert-rules/pager");
    const choose = async (label: string, option: string) => {
      await field(label).click();
      await page.getByRole("option", { name: option, exact: true }).click();
      await page.keyboard.press("Escape");
    };
    await choose("On-call schedules", "primary");
    await choose("Alert targets of the step", "ops-channel (Slack)");
    await expectAccessible();
    await save();
    const { notify } = (await stored("pager")).settings;
    expect(notify.on_call_schedules).toEqual(["primary"]);
    expect(notify.escalation[0].targets).toEqual([target.body.id]);
    await open("/alert-rules");
    await page.getByText("oncall@example.com and 1 other").waitFor();
  });

  it("tries an unsaved rule with an alert, and shows which condition decides", async () => {
    await open("/alert-rules/pager?tab=try");
    const alert = page.getByLabel("Alert as JSON");
    await button("Evaluate").click();
    await page.getByText("It does not match: not all conditions are true.").waitFor();
    await page.getByRole("row").filter({ hasText: "context.used" }).getByText("does not have").waitFor();
    await expectAccessible();
    const given = JSON.parse(await alert.inputValue());
    await alert.fill(JSON.stringify({ ...given, context: { used: 97 } }));
    await button("Evaluate").click();
    await page.getByText("pager would notify the alert.").waitFor();
    await alert.fill("{");
    await button("Evaluate").click();
    await page.getByText("This is not JSON:").waitFor();
    await tab("Settings");
    await pick(group("All of these, condition 1"), "Value", "Critical");
    await tab("Try it");
    await page.getByLabel("Alert as JSON").fill(JSON.stringify({ ...given, severity: "warning" }));
    await button("Evaluate").click();
    await page.getByText("This rule, unsaved:").waitFor();
    await button("Discard changes").click();
  });

  it("tries an unsaved rule with the alerts of last week: matches, and notices with their times", async () => {
    const alert = { event_type: "disk.full", severity: "critical", source: "node", message: "/var is full" };
    for (const body of [
      { ...alert, entity_id: "web-1" },
      { ...alert, source: "cron", severity: "info" },
    ]) {
      const answer = await world.report(body);
      expect(answer.ok).toBe(true);
    }
    await open("/alert-rules/pager?tab=try");
    await button("Try").click();
    await page.getByText("The rule matches 0 of 2 alerts.").waitFor();
    await tab("Settings");
    await button("Remove: All of these, condition 2").click();
    await tab("Try it");
    await button("Try").click();
    await page.getByText("The rule matches 1 of 2 alerts.").waitFor();
    const notices = page.getByRole("region", { name: "Notices that it would have sent" }).first();
    const first = notices.getByRole("row").filter({ hasText: "First notice" });
    await first.getByText("oncall@example.com", { exact: false }).waitFor();
    expect(await first.locator("time").count()).toBe(1);
    await page.getByRole("row").filter({ hasText: "Now matched" }).getByText("/var is full").waitFor();
    await expectAccessible();
    await page.getByRole("combobox", { name: "Result at their arrival" }).click();
    await page.getByRole("option", { name: "Notified" }).click();
    await button("Try").click();
    await page.getByText("No alert meets this filter.").waitFor();
    await button("Discard changes").click();
  });

  it("shows the mails of an unsaved rule in a frame without rights, and sends one as a test to the user", async () => {
    await open("/alert-rules/pager?tab=try");
    await button("Show the mail").click();
    const mail = page.getByRole("region", { name: "The mail of the rule" });
    await mail.getByText("The first notice goes to oncall@example.com", { exact: false }).waitFor();
    await mail.getByText("[critical] node-exporter: /var is 97 % full (host web-1)").waitFor();
    const frame = mail.locator("iframe");
    expect(await frame.getAttribute("sandbox")).toBe("");
    await mail.frameLocator("iframe").getByText("/var is 97 % full").first().waitFor();
    await expectAccessible();
    await mail.getByText("Resolved", { exact: true }).click();
    await mail.getByText("Re: [critical]", { exact: false }).first().waitFor();
    await mail.getByText("Digest", { exact: true }).click();
    await mail.getByText("[digest] pager", { exact: false }).first().waitFor();
    await button("Send it to me").click();
    await mail.getByRole("link", { name: "Open the message" }).waitFor();
    const { data } = (await ask("GET", "/messages?tag=alert-test")).body;
    expect(
      data.map(({ recipient, subject }: { recipient: string; subject: string }) => [recipient, subject]),
    ).toEqual([["admin@example.com", expect.stringMatching(/^\[test\] \[digest\] pager: /)]]);
  });

  it("shows both states after another member has saved, and overwrites nothing by accident", async () => {
    await open("/alert-rules/pager");
    await page.getByLabel("Description").fill("Mine");
    const { revision, settings } = await stored("pager");
    const { name: _, ...rest } = settings;
    const other = await ask("PUT", "/alert-rules/pager", {
      ...rest,
      description: "Theirs",
      if_revision: revision,
    });
    expect(other.status).toBe(200);
    await button("Save").click();
    const notice = page
      .getByRole("alert")
      .filter({ hasText: "The stored state has changed since you began" });
    await notice.getByText("Theirs").waitFor();
    await expectAccessible();
    await notice.getByRole("button", { name: "Continue with mine" }).click();
    await save();
    expect((await stored("pager")).settings.description).toBe("Mine");
  });

  it("compares versions, and restores one", async () => {
    await open("/alert-rules/pager?tab=versions");
    await page.getByText("Present state").waitFor();
    await button("Version 1").click();
    await button("Compare with the present state").click();
    await page.getByRole("heading", { name: "Changes from version 1 to version 5" }).waitFor();
    await expectAccessible();
    await button("Restore").click();
    await inDialog("Restore").click();
    await page.getByText("restores version 1").waitFor();
    expect((await stored("pager")).settings.match).toHaveLength(1);
  });

  it("copies a rule, warns that the copy is never evaluated, and deletes it", async () => {
    const { settings } = await stored("pager");
    const { name: _, ...rest } = settings;
    await ask("PUT", "/alert-rules/pager", { ...rest, stop: true });
    await open("/alert-rules/pager");
    await page.getByRole("link", { name: "Copy as a new rule" }).click();
    await field("Name").fill("late");
    await button("Create").click();
    await page.getByText('The rule is never evaluated: "pager" matches all its alerts first.').waitFor();
    await button("More").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expectAccessible();
    await inDialog("Delete").click();
    await page.waitForURL("**/alert-rules");
    expect((await ask("GET", "/alert-rules/late")).status).toBe(404);
  });

  it("creates an inhibition, changes it, restores its first version, and deletes it", async () => {
    await open("/inhibitions");
    await page.getByText("No inhibitions yet").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create an inhibition" }).click();
    await field("Name").fill("host-down");
    await group("Source: all of these, condition 1").getByLabel("Value").fill("host.down");
    await expectAccessible();
    await button("Create").click();
    await page.waitForURL("**/inhibitions/host-down");
    const [first] = (await ask("GET", "/inhibitions")).body.data;
    expect(first).toMatchObject({
      source: { match: [{ field: "event_type", op: "eq", value: "host.down" }] },
      target: { match: [{ field: "severity", op: "lte", value: "warning" }] },
      equal: ["entity_id"],
    });
    await addTag("Equal fields", "source");
    await save();
    await tab("Versions");
    await button("Version 1").click();
    await button("Restore").click();
    await inDialog("Restore").click();
    await page.getByText("restores version 1").waitFor();
    expect((await ask("GET", "/inhibitions")).body.data[0].equal).toEqual(["entity_id"]);
    await open("/inhibitions");
    await page.getByRole("link", { name: "host-down" }).click();
    await button("Delete").click();
    await inDialog("Delete").click();
    await page.getByText("No inhibitions yet").waitFor();
    await open("/inhibitions/host-down");
    await page.getByText("There is no inhibition with this name.").waitFor();
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const tabs = ["", "?tab=try", "?tab=versions&version=2&before=1&after=2"];
    const ofRule = tabs.map((search) => `/alert-rules/pager${search}`);
    for (const path of [
      "/alert-rules",
      "/alert-rules/-/new",
      ...ofRule,
      "/inhibitions",
      "/inhibitions/-/new",
    ]) {
      await open(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
