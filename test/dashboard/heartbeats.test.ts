import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

const NAME = "nightly backup";

describe.skipIf(browser.missing)(`heartbeats${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  /** Id of the heartbeat of the job. */
  let backup: string;
  /** URL of its pings. */
  let url: string;

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const get = async () => (await ask("GET", `/heartbeats/${backup}`)).body;
  /** As a job does it, by the URL alone. */
  const ping = async (signal = "") => (await fetch(`${url}${signal}`)).status;

  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/heartbeats");
    visit.tolerate(/status of (?:404|409|412|422)/);
    page = visit.page;
  });
  afterAll(() => world?.dispose());

  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Details" }).getByRole("link", { name }).click();
  const more = async (name: string) => {
    await button("More").click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  /** Leaves the dialog that shows the URL of the pings once. @returns the URL */
  const takeUrl = async (title: string) => {
    const dialog = page.getByRole("dialog", { name: title });
    const shown = await dialog.locator("code").last().textContent();
    await dialog.getByRole("checkbox", { name: "I have stored it" }).check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    return shown ?? "";
  };

  it("shows the faults of a new heartbeat at their fields", async () => {
    await page.getByText("No heartbeats yet").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create a heartbeat" }).click();
    await field("Name").fill(NAME);
    await page.getByRole("radio", { name: "By a cron expression" }).check();
    await button("Create").click();
    await page.getByText("`period_seconds` or `cron` is required.").first().waitFor();
    await field("Cron expression").fill("61 2 * * *");
    await button("Create").click();
    await page.getByText("The value must be an expression of five cron fields").first().waitFor();
    await expectAccessible();
    expect((await ask("GET", "/heartbeats")).body.data).toEqual([]);
  });

  it("creates a heartbeat, and shows the line of the crontab with its URL once", async () => {
    await field("Cron expression").fill("5 2 * * *");
    await page.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berl");
    await page.getByRole("option", { name: "Europe/Berlin" }).click();
    await page.getByRole("spinbutton", { name: "Grace time", exact: true }).fill("30");
    await button("Create").dblclick();
    const dialog = page.getByRole("dialog", { name: "The heartbeat was created" });
    const line = dialog.getByText("5 2 * * * /usr/local/bin/backup && curl");
    await line.waitFor();
    expect(await visit.violations("it is")).toEqual([]);
    const command = await line.textContent();
    url = await takeUrl("The heartbeat was created");
    expect(url).toMatch(new RegExp(`^${world.url}/inbound/heartbeats/hm_ping_`));
    expect(command).toContain(`"${url}"`);
    await page.getByText("Waiting for the first ping…").waitFor();
    const { data } = (await ask("GET", "/heartbeats")).body;
    expect(data).toMatchObject([
      { name: NAME, cron: "5 2 * * *", timezone: "Europe/Berlin", grace_seconds: 1_800, state: "new" },
    ]);
    backup = data[0].id;
    expect(new URL(page.url()).search).toBe("?tab=setup");
  });

  it("has commands without the secret, and turns green with the first ping", async () => {
    await page.getByText('-o /dev/null "$HEARTBEAT_URL"', { exact: false }).first().waitFor();
    await page.getByText(`${world.url}/inbound/heartbeats/${backup}`).waitFor();
    expect(await page.locator("main").textContent()).not.toContain(url.slice(-20));
    await expectAccessible();
    expect(await ping()).toBe(200);
    // No reload: the event stream reports the ping.
    await page.getByText("The last success ping came at").waitFor();
    await page.getByText("On time", { exact: true }).waitFor();
    expect((await get()).state).toBe("up");
  });

  it("warns that no rule notifies the alert, until one does", async () => {
    await tab("Overview");
    await page.getByText("No alert rule notifies the alert").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create a rule" }).waitFor();
    const notify = { recipients: ["oncall@example.com"], from: world.hermod.firstRun.sender };
    const match = [{ field: "event_type", op: "eq", value: "heartbeat" }];
    expect((await ask("PUT", "/alert-rules/jobs", { match, notify })).status).toBe(201);
    await page.reload();
    await page.getByText("These rules notify the alert:").waitFor();
    await page.getByRole("link", { name: "jobs", exact: true }).waitFor();
  });

  it("shows pings live with their result and duration, and a failure as its alert", async () => {
    expect([await ping("/start"), await ping("/3")]).toEqual([200, 200]);
    await row("Failure, exit status 3").waitFor();
    await row("Started").waitFor();
    await page.getByText("The job reported a failure at").waitFor();
    await page.getByText("Failed", { exact: true }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Its alerts" }).click();
    await row("reported a failure with exit status 3").waitFor();
    expect(await ping("/0")).toBe(200);
    await open(`/heartbeats/${backup}`);
    await page.getByText("On time", { exact: true }).waitFor();
    expect((await get()).down_since).toBeNull();
  });

  it("shows a ping that stays away as late and then as missing, without a reload", async () => {
    const created = await ask("POST", "/heartbeats", {
      name: "worker",
      period_seconds: 30,
      grace_seconds: 5,
    });
    expect((await fetch(created.body.ping_url)).status).toBe(200);
    await open("/heartbeats");
    await row("worker").getByText("On time").waitFor();
    await row("worker").getByText("Late").waitFor();
    await row("worker").getByText("Missing").waitFor();
    const details = (await ask("GET", `/heartbeats/${created.body.id}`)).body;
    expect([details.state, details.down_reason]).toEqual(["down", "missed"]);
    await row("worker").getByRole("link", { name: "worker" }).click();
    await page.getByText("No ping came until").waitFor();
    const alert = await eventually(async () => {
      const { data } = (await ask("GET", "/alerts?text=worker")).body;
      return data[0];
    });
    expect(alert.outcome.status).toBe("routed");
  });

  it("filters the list in the address", async () => {
    await open("/heartbeats");
    await row(NAME).waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: /^State/ }).click();
    await page.getByRole("menuitemcheckbox", { name: "Missing" }).click();
    await row(NAME).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("state")).toBe("down");
    await page.reload();
    await row("worker").waitFor();
    await button("Clear filters").click();
    await page.getByRole("searchbox", { name: "Search heartbeats" }).fill("NIGHT");
    await row("worker").waitFor({ state: "detached" });
    await row(NAME).waitFor();
    await open("/heartbeats?tag=nothing");
    await page.getByText("No heartbeat matches these filters").waitFor();
  });

  it("changes the settings, and shows the later change of another member", async () => {
    await open(`/heartbeats/${backup}?tab=settings`);
    expect(await field("Cron expression").inputValue()).toBe("5 2 * * *");
    await field("Cron expression").fill("5 3 * * *");
    const tags = page
      .locator("input")
      .and(page.getByLabel("Tags", { exact: true }))
      .first();
    await tags.fill("db");
    await tags.press("Enter");
    await expectAccessible();
    await button("Save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { revision, ...stored } = await get();
    expect([stored.cron, stored.tags, stored.grace_seconds]).toEqual(["5 3 * * *", ["db"], 1_800]);
    await field("Event type").fill("backup.missed");
    const theirs = { name: NAME, cron: "0 4 * * *", timezone: "UTC", if_revision: revision };
    expect((await ask("PUT", `/heartbeats/${backup}`, theirs)).status).toBe(200);
    await button("Save").click();
    await page.getByText("The stored state has changed since you began").waitFor();
    await expectAccessible();
    expect((await get()).cron).toBe("0 4 * * *");
    await button("Use the stored state").click();
    await expect.poll(() => field("Cron expression").inputValue()).toBe("0 4 * * *");
  });

  it("pauses after a question, and resumes", async () => {
    await open(`/heartbeats/${backup}`);
    await button("Pause").click();
    await expectAccessible();
    await inDialog("Pause").click();
    await page.getByText("The heartbeat is paused.").waitFor();
    expect((await get()).state).toBe("paused");
    await button("Resume").click();
    await page.getByText("On time", { exact: true }).waitFor();
    expect((await get()).state).toBe("up");
  });

  it("replaces the token after a question: the former URL stops working", async () => {
    await more("Replace the token");
    await expectAccessible();
    await inDialog("Replace the token").click();
    const former = url;
    url = await takeUrl("The token was replaced");
    expect((await fetch(former)).status).toBe(404);
    expect(await ping()).toBe(200);
  });

  it("deletes a heartbeat after a question", async () => {
    await open(`/heartbeats/${backup}`);
    await more("Delete");
    await expectAccessible();
    await inDialog("Delete").click();
    await page.getByRole("heading", { level: 1, name: "Heartbeats" }).waitFor();
    await row("worker").waitFor();
    expect(await row(NAME).count()).toBe(0);
    expect((await ask("GET", `/heartbeats/${backup}`)).status).toBe(404);
    expect(await ping()).toBe(404);
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const { data } = (await ask("GET", "/heartbeats")).body;
    const one = `/heartbeats/${data[0].id}`;
    for (const path of ["/heartbeats", "/heartbeats/new", one, `${one}?tab=setup`, `${one}?tab=settings`]) {
      await open(path);
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
