import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

const PATH = "/on-call-schedules/primary";
const ADA = "ada@example.net";
const DAY_MS = 86_400_000;
const EIGHT_HOURS_MS = 8 * 3_600_000;

/** A daily shift from 09:00 in Oslo. Clocks change there on 2030-03-31. */
const daily = {
  layers: [
    {
      name: "Daily",
      participants: [{ address: ADA }, { address: "bob@example.net" }],
      starts_at: "2030-03-01T08:00:00Z",
      time_zone: "Europe/Oslo",
      shift: { length: 1, unit: "day" },
      handover: { time: "09:00" },
    },
  ],
  fallback_recipients: ["ops@example.com"],
};

describe.skipIf(browser.missing)(`on-call schedules${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let user: string;

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const get = async (path = "") => (await ask("GET", `${PATH}${path}`)).body;
  const overrides = async () => (await get("/overrides")).data;

  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/on-call");
    visit.tolerate(/status of (?:404|409|422)/);
    page = visit.page;
    user = (await ask("GET", "/session")).body.email;
  });
  afterAll(() => world?.dispose());

  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const button = (name: string | RegExp) =>
    page.getByRole("button", { name, exact: typeof name === "string" });
  const dialog = (name: string) => page.getByRole("dialog", { name });
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  const calendar = () => page.getByRole("region", { name: "Shifts" }).first();
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Details" }).getByRole("link", { name }).click();
  /** Picks a person by a typed address. */
  const pick = async (label: string, address: string) => {
    await page.getByRole("combobox", { name: label }).fill(address);
    await page.getByRole("option", { name: address }).click();
  };
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);

  it("creates a schedule, with a preview of the next weeks", async () => {
    await page.getByText("No on-call schedules yet").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create a schedule" }).first().click();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("admin", { exact: true }).first().waitFor();
    expect(await preview.getByText("ada", { exact: true }).count()).toBe(0);
    await pick("Add a person", ADA);
    await preview.getByText("ada", { exact: true }).first().waitFor();
    await page.getByRole("combobox", { name: "Time zone" }).fill("Europe/Os");
    await page.getByRole("option", { name: "Europe/Oslo" }).click();
    await preview.getByText("All times are in the time zone Europe/Oslo.").waitFor();
    await page.getByRole("spinbutton", { name: "Length of a shift" }).fill("");
    await preview.getByText("Fill in the people, the length and the start").waitFor();
    await page.getByRole("spinbutton", { name: "Length of a shift" }).fill("1");
    await field("Name").fill("Not a name");
    await button("Create").click();
    await page.getByText("The name of an on-call schedule must have").first().waitFor();
    await expectAccessible();
    await field("Name").fill("primary");
    await button("Create").dblclick();
    await page.waitForURL("**/on-call/primary");
    const { settings, people } = await get();
    expect(settings.layers).toMatchObject([
      {
        time_zone: "Europe/Oslo",
        shift: { length: 1, unit: "week" },
        handover: { time: "09:00", weekday: 1 },
      },
    ]);
    expect(people.map(({ address }: { address: string }) => address)).toEqual([user, ADA]);
    expect(settings.fallback_recipients).toEqual([user]);
  });

  it("shows the person on call, and their turns in the calendar", async () => {
    await page.getByText(/ is on call until .*09:00\./).waitFor();
    await calendar()
      .getByRole("button", { name: new RegExp(`${ADA}, `) })
      .first()
      .waitFor();
    await page.getByText("No alert rule names this schedule").waitFor();
    await expectAccessible();
    await open("/on-call");
    const row = page.getByRole("row").filter({ hasText: "primary" });
    await row.getByText(/^until .*09:00$/).waitFor();
    await row.getByText(/^from .*09:00$/).waitFor();
    await page.getByRole("region", { name: "Your shifts" }).getByText("(Europe/Oslo)").first().waitFor();
    await expectAccessible();
    await page.getByRole("searchbox", { name: "Search schedules" }).fill("nothing");
    await page.getByText("No schedule matches these filters").waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("nothing");
    await button("Clear filters").click();
    await row.getByRole("link", { name: "primary" }).click();
    await button("Earlier month").waitFor();
  });

  it("turns by keys, and keeps the week in the address", async () => {
    const heading = page.locator("main").getByRole("heading", { level: 2 }).first();
    const month = await heading.textContent();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => heading.textContent()).not.toBe(month);
    await page.keyboard.press("t");
    await expect.poll(() => heading.textContent()).toBe(month);
    await page.getByText("Week", { exact: true }).click();
    await page.getByText(/^Week from Monday/).waitFor();
    const week = await heading.textContent();
    await button("Earlier week").click();
    await expect.poll(() => heading.textContent()).not.toBe(week);
    await page.reload();
    await page.getByText(/^Week from Monday/).waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBe("week");
    await expectAccessible();
  });

  it("shows a day of 23 hours when clocks change, with handovers in local time", async () => {
    expect((await ask("PUT", "/on-call-schedules/daily", daily)).status).toBe(201);
    await open("/on-call/daily?view=week&day=2030-03-31");
    await calendar().getByText("23 h", { exact: true }).waitFor();
    await calendar()
      .getByRole("button", { name: /30 Mar.*09:00 to .*31 Mar.*09:00/ })
      .click();
    const shift = page.getByRole("dialog");
    await shift.getByText("23 h", { exact: true }).waitFor();
    await shift.getByText("Layer “Daily”").waitFor();
    await shift.getByText("All times are in the time zone Europe/Oslo.").waitFor();
    expect(await visit.violations("it is")).toEqual([]);
    await page.keyboard.press("Escape");
    await calendar()
      .getByRole("button", { name: /31 Mar.*09:00 to .*1 Apr.*09:00/ })
      .click();
    await page.getByRole("dialog").getByText("1 d", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("adds an override for a day of the calendar", async () => {
    await open("/on-call/primary");
    await button(/^Add an override on /)
      .last()
      .click();
    const form = dialog("Add an override");
    await form.getByText("Replaces:").waitFor();
    await form.getByRole("button", { name: "Add an override" }).click();
    await form.getByText("Choose the person who is on call.").waitFor();
    expect(await visit.violations("it is")).toEqual([]);
    await pick("Person", "carol@example.net");
    await form.getByRole("textbox", { name: "Comment" }).fill("Dentist");
    await form.getByRole("button", { name: "Add an override" }).dblclick();
    await page.getByText("The override is added.").waitFor();
    await calendar()
      .getByRole("button", { name: /carol@example.net, .*\(Override\)$/ })
      .first()
      .waitFor();
    await expectAccessible();
    const stored = await overrides();
    expect(stored).toMatchObject([{ comment: "Dentist", state: "pending" }]);
    const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Oslo", timeStyle: "short" });
    expect(clock.format(new Date(stored[0].from))).toBe("00:00");
    expect(clock.format(new Date(stored[0].until))).toBe("00:00");
  });

  it("shows the fault of an override that ends in the past at its field", async () => {
    await page.locator("#content").getByRole("button", { name: "Add an override", exact: true }).click();
    const form = dialog("Add an override");
    await pick("Person", ADA);
    await form.getByLabel("Until").fill("2020-01-01T00:00");
    await form.getByRole("button", { name: "Add an override" }).click();
    await form.getByRole("alert").waitFor();
    await form.getByRole("button", { name: "Cancel" }).click();
    expect(await overrides()).toHaveLength(1);
  });

  it("swaps two shifts with four clicks, after a preview", async () => {
    await page.keyboard.press("ArrowRight");
    const bars = (address: string) =>
      calendar().getByRole("button", { name: new RegExp(`^\\w+ ${address}, (?!.*Override)`) });
    await bars(ADA).nth(1).waitFor();
    const [mine, other] = [
      await bars(user).nth(1).getAttribute("title"),
      await bars(ADA).nth(1).getAttribute("title"),
    ];
    await calendar()
      .getByTitle(mine ?? "")
      .first()
      .click();
    await dialog(user).getByRole("button", { name: "Swap", exact: true }).click();
    await page.getByText("Choose the shift to swap with.").waitFor();
    await expectAccessible();
    // Not one of the four: a shift of the same person is refused.
    await bars(user).last().click();
    await page.getByText("Choose a shift of another person that has not ended.").waitFor();
    await calendar()
      .getByTitle(other ?? "")
      .first()
      .click();
    const form = dialog("Swap two shifts");
    expect(await form.locator("mark").allTextContents()).toHaveLength(4);
    expect(await visit.violations("it is")).toEqual([]);
    expect(await overrides()).toHaveLength(1);
    await form.getByRole("button", { name: "Swap the shifts" }).dblclick();
    await page.getByText("The shifts are swapped.").waitFor();
    await calendar()
      .getByRole("button", { name: /\(Override\)$/ })
      .first()
      .waitFor();
    const swapped = (await overrides()).slice(0, 2);
    expect(swapped.map(({ person }: { person: { address: string } }) => person.address).toSorted()).toEqual(
      [user, ADA].toSorted(),
    );
    for (const { from, person } of swapped)
      expect((await get(`/on-call?at=${from}`)).recipients).toEqual([person.address]);
  });

  it("lists overrides, and removes one after a question", async () => {
    await tab("Overrides");
    const row = page.getByRole("row").filter({ hasText: "carol@example.net" });
    await row.getByText("Planned").waitFor();
    await expectAccessible();
    await row.getByRole("button", { name: "Remove: carol@example.net" }).click();
    await dialog("Remove the override").getByRole("button", { name: "Remove the override" }).click();
    await page.getByText("The override is removed.").waitFor();
    await row.waitFor({ state: "detached" });
    expect(await overrides()).toHaveLength(2);
  });

  it("changes the settings, and shows the later change of another member", async () => {
    await tab("Settings");
    await button(`Down: ${user}`).click();
    await button("Save").click();
    await page.getByText("The schedule is saved.").waitFor();
    const { settings, revision } = await get();
    expect(settings.layers[0].participants[0]).toEqual({ address: ADA });
    const { name: _, ...content } = settings;
    await field("Description").fill("Mine");
    const theirs = { ...content, description: "Theirs", if_revision: revision };
    expect((await ask("PUT", PATH, theirs)).status).toBe(200);
    await button("Save").click();
    await page.getByText("The stored state has changed since you began").waitFor();
    await expectAccessible();
    await button("Use the stored state").click();
    await expect.poll(() => field("Description").inputValue()).toBe("Theirs");
  });

  it("compares versions, and restores the first one", async () => {
    await open("/on-call/primary?tab=versions&before=1&after=3");
    await page.getByText("Theirs").first().waitFor();
    await page.getByRole("button", { name: "Version 1", exact: true }).click();
    await button("Restore").click();
    const form = dialog("Restore version 1");
    await form.getByText("description").first().waitFor();
    await form.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Version 1 is restored.").waitFor();
    await expectAccessible();
    expect((await get()).settings.description ?? "").toBe("");
    expect(await overrides()).toHaveLength(2);
  });

  it("shows a role without changes no buttons", async () => {
    await page.route("**/api/session", async (route) => {
      const response = await route.fetch();
      const session = await response.json();
      const permissions = session.permissions.filter((one: string) => one !== "alerts.write");
      await route.fulfill({ response, json: { ...session, permissions } });
    });
    await open("/on-call/primary");
    await calendar()
      .getByRole("button", { name: new RegExp(`${ADA}, `) })
      .first()
      .click();
    await dialog(ADA).getByText("Duration").waitFor();
    expect(await dialog(ADA).getByRole("button").count()).toBe(1);
    await page.keyboard.press("Escape");
    expect(
      await button(/override|Delete/i)
        .filter({ hasNotText: "(override)" })
        .count(),
    ).toBe(0);
    await tab("Settings");
    await page.getByText("Your role can see this schedule").waitFor();
    expect(await button("Save").count()).toBe(0);
    await page.unroute("**/api/session");
  });

  it("names the rules that use a schedule, and deletes it once none does", async () => {
    const notify = { on_call_schedules: ["primary"], from: world.hermod.firstRun.sender };
    const match = [{ field: "severity", op: "eq", value: "critical" }];
    expect((await ask("PUT", "/alert-rules/pager", { match, notify })).status).toBe(201);
    await open("/on-call/primary");
    await page.getByText("notified first").waitFor();
    await button("Delete").click();
    const question = dialog("Delete primary?");
    await question.getByRole("button", { name: "Delete" }).click();
    await question.getByRole("alert").getByText("pager").waitFor();
    expect(await visit.violations("it is")).toEqual([]);
    expect((await ask("DELETE", "/alert-rules/pager")).status).toBe(204);
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "On-call" }).waitFor();
    await page.getByRole("row").filter({ hasText: "daily" }).waitFor();
    expect((await ask("GET", PATH)).status).toBe(404);
  });

  it.each([320, 390, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const { layers, ...rest } = daily;
    // Not shortly before the handover at 9:00 in Oslo: short shifts are listed on wide screens, too.
    const starts_at = new Date(Math.floor(Date.now() / DAY_MS - 3) * DAY_MS + EIGHT_HOURS_MS).toISOString();
    await ask("PUT", PATH, { ...rest, layers: layers.map((layer) => ({ ...layer, starts_at })) });
    const one = "/on-call/primary";
    for (const path of ["/on-call", "/on-call/-/new", one, `${one}?view=week`, `${one}?tab=settings`]) {
      await open(path);
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await open(one);
    // Narrow screens have a list instead of the calendar.
    const list = page.getByRole("list", { name: "List of shifts", includeHidden: true });
    const listed = list.getByText(ADA, { exact: true });
    await listed.first().waitFor({ state: "attached" });
    await expect.poll(() => listed.first().isVisible()).toBe(width <= 700);
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
