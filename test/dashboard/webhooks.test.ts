import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";
import { onWebhookPages, startWebhookReceiver, type WebhookReceiver } from "../harness/webhook-pages.ts";

const browser = tool("chromium");
const TOKEN = "Bearer their-token";

describe.skipIf(browser.missing)(`webhooks${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let on: ReturnType<typeof onWebhookPages>;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    // Endpoints of these tests are on this machine.
    world = await openDashboard({ HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" });
    visit = await world.signIn("/webhooks");
    page = visit.page;
    on = onWebhookPages(world, visit);
    // Settings that Hermod refuses in the tests.
    visit.tolerate(/status of (?:409|422)/);
  });
  afterAll(async () => {
    receiver?.close();
    await world?.dispose();
  });

  it("adds the first endpoint with chosen types and a header, and shows its secret once", async () => {
    await page.getByText("No endpoints yet").waitFor();
    await on.expectAccessible();
    await on.beginEndpoint("ftp://shop.example.com/");
    await page.getByRole("radio", { name: "Chosen event types" }).check();
    await on.button("Add an endpoint").click();
    await page.getByText("Choose at least one event type.").waitFor();
    await page.getByRole("checkbox", { name: "message.delivered" }).check();
    await on.button("Add an endpoint").click();
    // Hermod says at the field why it refuses the URL.
    await page.getByRole("alert").first().waitFor();
    await on.expectAccessible();
    await page.getByLabel("URL").fill(receiver.url);
    await on.button("Add a header").click();
    await page.getByLabel("Name of header 1").fill("Authorization");
    await page.getByLabel("Value of header 1").fill(TOKEN);
    await on.button("Add an endpoint").click();
    await on.dialog.getByText("Store this now.").waitFor();
    await on.expectAccessible();
    expect(await on.takeSecret()).toMatch(/^whsec_/);
    await page.waitForURL("**/webhooks/wep_*?tab=verify");
    const endpoint = await on.endpointOf(receiver.url);
    expect(endpoint).toMatchObject({ types: ["message.delivered"], headers: [{ name: "Authorization" }] });
    expect(JSON.stringify(endpoint)).not.toContain("their-token");
  });

  it("shows a delivery with the request as sent and the answer, hides the header's value, and replays it", async () => {
    await world.send({ to: "ada@example.org", subject: "Your receipt" });
    await eventually(async () => receiver.ids[0]);
    expect(receiver.tokens[0]).toBe(TOKEN);
    // The result is stored after the answer. The list of accepted deliveries is not polled.
    const accepted = async () =>
      (await on.ask("GET", "/webhook-deliveries?state=delivered")).body.data.length;
    await expect.poll(accepted).toBe(1);
    await on.open("/webhooks/deliveries?state=delivered&type=message.delivered");
    await on.expectAccessible();
    await page.getByRole("link", { name: "message.delivered" }).first().click();
    await page.getByText("The endpoint accepted it").waitFor();
    await page.getByText("Attempt 1: 204").waitFor();
    await page.getByText("hidden", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("their-token");
    const body = await page.getByRole("region", { name: "Body as sent" }).last().textContent();
    expect(JSON.parse(body ?? "")).toMatchObject({ id: receiver.ids[0], type: "message.delivered" });
    await on.expectAccessible();
    await on.button("Copy as curl").waitFor();
    await on.button("Replay").click();
    await expect.poll(() => receiver.ids.filter((id) => id === receiver.ids[0]).length).toBe(2);
    await page.getByText("The endpoint accepted it").waitFor();
    await page.getByRole("link", { name: /^msg_/ }).first().click();
    await page.waitForURL("**/messages/msg_*");
  });

  it("finds deliveries by message, state, answer and endpoint in the address", async () => {
    const { data } = (await on.ask("GET", "/webhook-deliveries?state=delivered")).body;
    await on.open("/webhooks/deliveries");
    await page.getByRole("searchbox", { name: "Message or event id" }).fill(data[0].message_id);
    await page.waitForURL("**/webhooks/deliveries?message_id=msg_*");
    await page.getByRole("link", { name: "message.delivered" }).first().waitFor();
    await on.button("State any").click();
    await page.getByRole("menuitemcheckbox", { name: "Failed" }).click();
    await page.waitForURL(/state=failed/);
    await page.getByText("No delivery matches these filters").waitFor();
    await on.expectAccessible();
    await on.button("Clear filters").click();
    await page.getByRole("link", { name: "message.delivered" }).first().waitFor();
    expect(await page.getByRole("searchbox", { name: "Message or event id" }).inputValue()).toBe("");
    await on.open("/webhooks/deliveries?status=5xx");
    await page.getByText("No delivery matches these filters").waitFor();
  });

  it("shows new deliveries and their results without a reload", async () => {
    await on.open("/webhooks/deliveries?type=message.delivered");
    const rows = page.getByRole("row");
    await page.getByRole("link", { name: "message.delivered" }).first().waitFor();
    const before = await rows.count();
    // Rows do not move under the pointer.
    await page.mouse.move(0, 0);
    await world.send({ to: "live@example.org", subject: "Seen at once" });
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(before + 1);
    await expect.poll(() => rows.nth(1).textContent(), { timeout: 30_000 }).toContain("Delivered");
  });

  it("shows requests and durations over time, and opens the deliveries behind a point", async () => {
    const { id } = await on.endpointOf(receiver.url);
    await on.open(`/webhooks/${id}`);
    await page.getByText(/^The endpoint accepted all/).waitFor();
    await page.getByRole("region", { name: "Duration of the requests" }).first().waitFor();
    await page.getByText("2xx accepted").waitFor();
    await on.expectAccessible();
    await page.getByRole("link", { name: "7 d", exact: true }).click();
    await page.waitForURL(/period=7d/);
    // The plots of the former period are gone.
    await page.getByRole("navigation", { name: "Period" }).locator("b", { hasText: "7 d" }).waitFor();
    await page.getByText("As a table").first().click();
    await page
      .getByRole("button", { name: /^Deliveries of events/ })
      .last()
      .click();
    await page.waitForURL(/tab=deliveries/);
    await on.open("/webhooks");
    await page.getByText(/^100.% of \d+ requests?$/).waitFor();
  });

  it("finds out why an endpoint was disabled, enables it with a test event, and replays what it missed", async () => {
    receiver.status = 410;
    await world.send({ to: "grace@example.org", subject: "Lost" });
    await expect.poll(async () => (await on.endpointOf(receiver.url)).disabled?.reason).toBe("gone");
    const { id } = await on.endpointOf(receiver.url);
    await on.open("/webhooks");
    await page.getByText("Disabled: it answered 410").waitFor();
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByText(/^The endpoint answered 410 \(Gone\)/).waitFor();
    await on.expectAccessible();
    receiver.status = 204;
    const missed = receiver.ids.at(-1) ?? "";
    await on.button("Enable").click();
    await on.expectAccessible();
    await on.dialog.getByRole("button", { name: "Enable" }).click();
    await on.dialog.getByText("The endpoint is enabled, and has accepted a test event.").waitFor();
    // The pressed button is gone. Keys go on in the dialog.
    expect(
      await page.evaluate<boolean>("document.activeElement.matches('[role=dialog], [role=dialog] *')"),
    ).toBe(true);
    await on.expectAccessible();
    await on.dialog.getByRole("button", { name: "Replay what it missed" }).click();
    await on.dialog.getByText("1 delivery.").waitFor();
    await on.expectAccessible();
    await on.dialog.getByRole("button", { name: "Replay 1 delivery" }).click();
    await on.dialog.getByText("1 delivery is queued to be sent.").waitFor();
    await expect.poll(() => receiver.ids.filter((one) => one === missed).length).toBe(2);
    expect((await on.ask("GET", `/webhooks/${id}`)).body.disabled).toBeUndefined();
    await on.dialog.getByRole("link", { name: "Open the job" }).click();
    await page.getByRole("heading", { level: 1, name: "Replay of webhooks" }).waitFor();
    await page.getByRole("link", { name: /^wep_/ }).first().waitFor();
  });

  it("says in the test of an endpoint what it answered", async () => {
    const { id } = await on.endpointOf(receiver.url);
    receiver.status = 500;
    await on.open(`/webhooks/${id}`);
    await on.button("Send a test event").click();
    await on.dialog.getByRole("button", { name: "Send a test event" }).click();
    await on.dialog.getByText(/^Not accepted: /).waitFor();
    await on.dialog.getByText("no more").waitFor();
    await on.expectAccessible();
    receiver.status = 204;
    await on.dialog.getByRole("button", { name: "Close" }).last().click();
    await on.open(`/webhooks/${id}?tab=deliveries&state=pending`);
    await on.button("Send all pending now").click();
    await page.getByText(/delivery due now|deliveries due now/).waitFor();
  });

  it("changes settings without the values of headers, and never overwrites another member's change", async () => {
    const { id } = await on.endpointOf(receiver.url);
    await on.open(`/webhooks/${id}?tab=settings`);
    await page.getByLabel("Description").fill("Orders of the shop");
    await on.button("Save").click();
    await page.getByText("The settings are saved.").waitFor();
    const before = receiver.tokens.length;
    await world.send({ to: "ada@example.org", subject: "With the header" });
    await expect.poll(() => receiver.tokens.length).toBeGreaterThan(before);
    expect(receiver.tokens.at(-1)).toBe(TOKEN);
    const now = (await on.ask("GET", `/webhooks/${id}`)).body;
    await on.ask("PUT", `/webhooks/${id}`, {
      url: now.url,
      description: "By another member",
      types: ["message.bounced"],
      headers: [{ name: "Authorization" }],
      revision: now.revision,
    });
    await page.getByLabel("Requests per second").fill("5");
    await on.button("Save").click();
    await on.button("Load the current settings").waitFor();
    await on.expectAccessible();
    await on.button("Load the current settings").click();
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("By another member");
    await page.getByLabel("URL").fill(`${receiver.url}/moved`);
    await page.getByText("The URL has changed.").waitFor();
    await on.expectAccessible();
    // Another tab would lose the input.
    await page.getByRole("link", { name: "Verify", exact: true }).click();
    await on.dialog.getByText("Leave without saving?").waitFor();
    await on.dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByLabel("URL").inputValue()).toBe(`${receiver.url}/moved`);
    await page.getByRole("link", { name: "Verify", exact: true }).click();
    await on.dialog.getByRole("button", { name: "Leave" }).click();
    await page.waitForURL(/tab=verify/);
  });

  it("rotates the secret with an overlap, and names the time until which the former one signs", async () => {
    const { id } = await on.endpointOf(receiver.url);
    await on.open(`/webhooks/${id}?tab=settings`);
    await on.button("Rotate").click();
    await on.expectAccessible();
    await on.dialog.getByRole("button", { name: "Rotate" }).click();
    await on.dialog.getByText("Store this now.").waitFor();
    expect(await on.takeSecret()).toMatch(/^whsec_/);
    await page.getByText(/^Former, signs until/).waitFor();
    await page.getByText(/requests have the signatures of both/).waitFor();
    expect((await on.ask("GET", `/webhooks/${id}`)).body.secrets).toHaveLength(2);
    await on.expectAccessible();
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    const { id } = await on.endpointOf(receiver.url);
    const delivery = (await on.ask("GET", "/webhook-deliveries?state=delivered")).body.data[0].id;
    await page.setViewportSize({ width, height: 860 });
    for (const address of [
      "/webhooks",
      "/webhooks/new",
      `/webhooks/${id}`,
      `/webhooks/${id}?tab=deliveries`,
      `/webhooks/${id}?tab=settings`,
      `/webhooks/${id}?tab=verify`,
      "/webhooks/deliveries",
      `/webhooks/deliveries/${delivery}`,
      "/webhooks/events?type=message.clicked",
    ]) {
      await on.open(address);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
      expect([address, await visit.overflow()]).toEqual([address, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
