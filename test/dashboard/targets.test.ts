import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { startTargetServer, type TargetServer } from "../harness/target-server.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

const CHANNEL = "ops-channel";
const PROGRAM = "ops-program";
const RULE = "pager";
const TOKEN = "Bearer their-token";

describe.skipIf(browser.missing)(`alert targets${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let receiver: TargetServer;
  /** Ids of the targets. */
  let channel: string;
  let program: string;

  beforeAll(async () => {
    receiver = await startTargetServer(Date.now);
    // Targets of these tests are on this machine.
    world = await openDashboard({ HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" });
    visit = await world.signIn("/targets");
    visit.tolerate(/status of (?:409|422)/);
    page = visit.page;
  });
  afterAll(async () => {
    await world?.dispose();
    await receiver?.close();
  });

  const ask = (method: string, path: string, body?: object) => askOn(page, method, `/api${path}`, body);
  const get = async (id: string) => (await ask("GET", `/alert-targets/${id}`)).body;
  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  const dialog = () => page.getByRole("dialog");
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Details" }).getByRole("link", { name }).click();
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const idOf = () => new URL(page.url()).pathname.split("/").at(-1) ?? "";
  /** Leaves the dialog that shows a secret once. @returns the secret */
  const takeSecret = async () => {
    const secret = (await dialog().locator("code").first().textContent()) ?? "";
    await dialog().getByRole("checkbox", { name: "I have stored it" }).check();
    await inDialog("Done").click();
    await dialog().waitFor({ state: "detached" });
    return secret;
  };
  const report = async (entity: string) => {
    const answer = await world.report({
      event_type: "disk.full",
      severity: "critical",
      source: "node-exporter",
      message: "/var is 97 % full",
      entity_type: "host",
      entity_id: entity,
    });
    expect(answer.status).toBe(202);
  };

  it("shows the faults of a new target at their fields", async () => {
    await page.getByText("No targets yet").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Create a target" }).click();
    await page.getByLabel("URL").fill("ftp://chat.example.com/hook");
    await field("Name").fill("Ops Channel");
    await button("Create").click();
    await page.getByText("must have 1 to 100 characters").first().waitFor();
    expect(await page.locator("[aria-invalid=true]").count()).toBe(2);
    await expectAccessible();
    expect((await ask("GET", "/alert-targets")).body.data).toEqual([]);
  });

  it("creates a target for a channel of Slack, and never shows its URL again", async () => {
    await page.getByLabel("URL").fill(receiver.url("slack", "T000B000XXXX"));
    await field("Name").fill(CHANNEL);
    await page.getByLabel("Description").fill("Channel #ops");
    await button("Create").dblclick();
    await page.getByText("Nothing was sent to this target yet.").waitFor();
    channel = idOf();
    expect(await get(channel)).toMatchObject({ kind: "slack", name: CHANNEL, state: "unused", secrets: [] });
    await page.getByText("No rule notifies this target").waitFor();
    await page.getByText("No deliveries yet").waitFor();
    expect(await page.content()).not.toContain("T000B000XXXX");
    await expectAccessible();
  });

  it("sends a test, and shows the answer and what to do about a refusal", async () => {
    await button("Send a test").click();
    await dialog().getByText("The target accepted the sample with 200").waitFor();
    expect(await visit.violations("it is")).toEqual([]);
    receiver.behave = () => ({ status: 404, body: "no_service" });
    await inDialog("Send again").click();
    await dialog().getByText("The target answered 404.").waitFor();
    await dialog().getByText("no_service").waitFor();
    await dialog().getByText("The incoming webhook or its channel no longer exists.").waitFor();
    await expectAccessible();
    receiver.behave = () => undefined;
    await inDialog("Close").first().click();
    expect((await get(channel)).state).toBe("unused");
    expect(receiver.requests.map(({ status }) => status)).toEqual([200, 404]);
  });

  it("makes a rule that notifies the target, and shows its notices live", async () => {
    await page.getByRole("link", { name: "Create a rule with it" }).click();
    await field("Name").fill(RULE);
    await page.getByText(`${CHANNEL} (Slack)`).first().waitFor();
    await button("Create").click();
    await page.waitForURL(`**/alert-rules/${RULE}`);
    await open(`/targets/${channel}`);
    await page.getByRole("link", { name: RULE, exact: true }).waitFor();
    await report("web-1");
    // No reload: the page polls.
    await row("Notice 1").getByText("Delivered").waitFor();
    await page.getByText("The target accepted the last notice at").waitFor();
    await page.getByText("Working", { exact: true }).waitFor();
    await expectAccessible();
    await row("Notice 1").getByRole("link", { name: "Notice 1" }).click();
    await page.getByRole("heading", { level: 1, name: "web-1" }).waitFor();
  });

  it("says why a target fails, and what to do", async () => {
    receiver.behave = () => ({ status: 403, body: "action_prohibited" });
    await open(`/targets/${channel}`);
    await report("web-2");
    await row("Failed").waitFor();
    await page.getByText(/^The last attempt failed at .*: the target answered 403\.$/).waitFor();
    await page.getByText("The incoming webhook or its channel no longer exists.").waitFor();
    await row("The target answered 403.").getByText("action_prohibited").waitFor();
    await page.getByText("Failing", { exact: true }).waitFor();
    await expectAccessible();
    receiver.behave = () => undefined;
  });

  it("creates a webhook with a header, shows its secret once, and tests it", async () => {
    await open("/targets/new");
    await page.getByRole("radio", { name: "Webhook" }).check();
    await page.getByLabel("URL").fill(receiver.url("webhook", "program"));
    await field("Name").fill(PROGRAM);
    await page.getByRole("spinbutton", { name: "Requests per second" }).fill("5");
    await button("Add a header").click();
    await page.getByLabel("Name of header 1").fill("Authorization");
    await page.getByLabel("Value of header 1").fill(TOKEN);
    await button("Create").click();
    await dialog().getByText("The target was created").waitFor();
    await expectAccessible();
    const secret = await takeSecret();
    await page.getByText("Nothing was sent to this target yet.").waitFor();
    program = idOf();
    expect(await get(program)).toMatchObject({ headers: ["Authorization"], rate_per_second: 5 });
    await button("Send a test").click();
    await dialog().getByText("The target answered 401.").waitFor();
    await dialog().getByText("Check that it verifies with the current secret").waitFor();
    receiver.secrets.add(secret);
    await inDialog("Send again").click();
    await dialog().getByText("The target accepted the sample with 204").waitFor();
    expect(receiver.requests.at(-1)?.headers.authorization).toBe(TOKEN);
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  it("rotates the secret: for a time, both sign", async () => {
    await tab("Settings");
    await button("Rotate").click();
    await dialog().getByRole("combobox", { name: "The current secret signs for" }).click();
    await page.getByRole("option", { name: "1 hour" }).click();
    await expectAccessible();
    await inDialog("Rotate").click();
    await dialog().getByText("The target has a new secret").waitFor();
    const [former] = receiver.secrets;
    const next = await takeSecret();
    expect(next).not.toBe(former);
    await page.getByText("Former, signs until").waitFor();
    const test = async (secret: string | undefined) => {
      receiver.secrets.clear();
      receiver.secrets.add(secret ?? "");
      return (await ask("POST", `/alert-targets/${program}/test`)).body.accepted;
    };
    expect([await test(former), await test(next)]).toEqual([true, true]);
  });

  it("changes settings without the secrets, and shows the later change of another member", async () => {
    await page.getByText("The URL at 127.0.0.1").waitFor();
    expect(await page.getByLabel("URL").inputValue()).toBe("");
    await page.getByLabel("Description").fill("Pages the operators");
    await expectAccessible();
    await button("Save").click();
    await page.getByText("The settings are saved.").waitFor();
    const stored = await get(program);
    expect([stored.description, stored.headers]).toEqual(["Pages the operators", ["Authorization"]]);
    expect((await ask("POST", `/alert-targets/${program}/test`)).body.accepted).toBe(true);
    expect(receiver.requests.at(-1)?.headers.authorization).toBe(TOKEN);
    await page.getByLabel("URL").fill(receiver.url("webhook", "moved"));
    await page.getByText("Enter the values of all headers again").waitFor();
    const headers = [{ name: "Authorization" }];
    const theirs = { name: PROGRAM, description: "Theirs", headers, if_revision: stored.revision };
    expect((await ask("PUT", `/alert-targets/${program}`, theirs)).status).toBe(200);
    await button("Save").click();
    await page.getByText("The stored state has changed since you began").waitFor();
    await expectAccessible();
    // The comparison has no part of the new URL.
    expect(await page.locator("main").textContent()).not.toContain("moved");
    await button("Use the stored state").click();
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Theirs");
    expect((await get(program)).description).toBe("Theirs");
  });

  it("lists the targets with their states and rules, and filters them in the address", async () => {
    await open("/targets");
    await row(CHANNEL).getByText("Failing").waitFor();
    await row(CHANNEL).getByText("1 rule").waitFor();
    await row(PROGRAM).getByText("no rule").waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: /^Kind/ }).click();
    await page.getByRole("menuitemcheckbox", { name: "Webhook" }).click();
    await row(CHANNEL).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("kind")).toBe("webhook");
    await page.reload();
    await row(PROGRAM).waitFor();
    await button("Clear filters").click();
    await page.getByRole("searchbox", { name: "Search targets" }).fill("#OPS");
    await row(PROGRAM).waitFor({ state: "detached" });
    await row(CHANNEL).waitFor();
    await open("/targets?state=working");
    await page.getByText("No target matches these filters").waitFor();
  });

  it("names the rules that a removal concerns, and asks again", async () => {
    await open(`/targets/${channel}`);
    await button("More").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await inDialog("Remove").click();
    await dialog().getByText("1 resource would stop working:").waitFor();
    await dialog().getByText(RULE).waitFor();
    await expectAccessible();
    expect((await get(channel)).name).toBe(CHANNEL);
    await inDialog("Remove it anyway").click();
    await page.getByText(`${CHANNEL} was deleted`).waitFor();
    await row(PROGRAM).waitFor();
    const { data } = (await ask("GET", "/alert-targets")).body;
    expect(data.map(({ name }: { readonly name: string }) => name)).toEqual([PROGRAM]);
  });

  it.each([320, 390, 768, 1280])("fits into %i px", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [
      "/targets",
      "/targets/new",
      `/targets/${program}`,
      `/targets/${program}?tab=settings`,
    ]) {
      await open(path);
      await expect
        .poll(() => page.getByText("Loading", { exact: true }).count(), { timeout: 30_000 })
        .toBe(0);
      expect([path, await visit.overflow()]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it("offers a viewer no change", async () => {
    const { account_id: accountId, email } = (await ask("GET", "/session")).body;
    const { users, members } = world.hermod.core;
    await users.createUser({ email: "bo@example.org", accountId, role: "owner" });
    await members.changeRole({ accountId, user: email, role: "viewer" });
    await eventually(async () => {
      await open("/targets");
      await row(PROGRAM).waitFor();
      return (await page.getByRole("link", { name: "Create a target" }).count()) === 0 || undefined;
    });
    await open(`/targets/${program}?tab=settings`);
    await page.getByText("Your role may not change targets.").waitFor();
    for (const name of ["Send a test", "More", "Save", "Rotate"]) expect(await button(name).count()).toBe(0);
    expect(await field("Name").isDisabled()).toBe(true);
  });
});
