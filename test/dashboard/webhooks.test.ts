import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOn } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { eventually } from "../harness/start-hermod.ts";
import { acceptsConnections, freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const TOKEN = "Bearer their-token";

/** A program of the account that receives events. */
interface Receiver {
  readonly url: string;
  /** Status of its answers. */
  status: number;
  readonly ids: string[];
  readonly tokens: (string | undefined)[];
  close(): void;
}

async function receive(): Promise<Receiver> {
  const server = http.createServer((request, response) => {
    request.resume();
    receiver.ids.push(String(request.headers["webhook-id"]));
    receiver.tokens.push(request.headers.authorization);
    response.writeHead(receiver.status).end(receiver.status < 300 ? "thanks" : "no more");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/mail`,
    status: 204,
    ids: [],
    tokens: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

describe.skipIf(browser.missing)(`webhooks${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let page: Page;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await receive();
    // Endpoints of these tests are on this machine.
    world = await openDashboard({ HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true" });
    visit = await world.signIn("/webhooks");
    page = visit.page;
    // Settings that Hermod refuses in the tests.
    visit.tolerate(/status of (?:409|422)/);
  });
  afterAll(async () => {
    receiver?.close();
    await world?.dispose();
  });

  const open = (address: string) => page.goto(`${world.url}/dashboard${address}`);
  const ask = (method: string, address: string, body?: object) =>
    askOn(page, method, `/api${address}`, body);
  const expectAccessible = async () => expect(await visit.violations()).toEqual([]);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const endpointOf = async (url: string) => {
    const { data } = (await ask("GET", "/webhooks")).body;
    return data.find((one: { readonly url: string }) => one.url === url);
  };
  /** Returns the secret of the dialog that shows it, and closes the dialog. */
  async function takeSecret(): Promise<string> {
    const secret = (await dialog().locator("code").first().textContent()) ?? "";
    expect(await dialog().getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await dialog().getByLabel("I have stored it").check();
    await dialog().getByRole("button", { name: "Done" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);
    expect(await visit.secretsLeft()).toEqual([]);
    return secret;
  }
  async function add(url: string): Promise<void> {
    await open("/webhooks");
    await button("Add an endpoint").click();
    await page.getByLabel("URL").fill(url);
  }

  it("adds the first endpoint with chosen types and a header, and shows its secret once", async () => {
    await page.getByText("No endpoints yet").waitFor();
    await expectAccessible();
    await add("ftp://shop.example.com/");
    await page.getByRole("radio", { name: "Chosen event types" }).check();
    await button("Add an endpoint").click();
    await page.getByText("Choose at least one event type.").waitFor();
    await page.getByRole("checkbox", { name: "message.delivered" }).check();
    await button("Add an endpoint").click();
    // Hermod says at the field why it refuses the URL.
    await page.getByRole("alert").first().waitFor();
    await expectAccessible();
    await page.getByLabel("URL").fill(receiver.url);
    await button("Add a header").click();
    await page.getByLabel("Name of header 1").fill("Authorization");
    await page.getByLabel("Value of header 1").fill(TOKEN);
    await button("Add an endpoint").click();
    await dialog().getByText("Store this now.").waitFor();
    await expectAccessible();
    expect(await takeSecret()).toMatch(/^whsec_/);
    await page.waitForURL("**/webhooks/wep_*?tab=verify");
    const endpoint = await endpointOf(receiver.url);
    expect(endpoint).toMatchObject({ types: ["message.delivered"], headers: [{ name: "Authorization" }] });
    expect(JSON.stringify(endpoint)).not.toContain("their-token");
  });

  it("shows a delivery with the request as sent and the answer, hides the header's value, and replays it", async () => {
    await world.send({ to: "ada@example.org", subject: "Your receipt" });
    await eventually(async () => receiver.ids[0]);
    expect(receiver.tokens[0]).toBe(TOKEN);
    await open("/webhooks/deliveries?state=delivered&type=message.delivered");
    await expectAccessible();
    await page.getByRole("link", { name: "message.delivered" }).first().click();
    await page.getByText("The endpoint accepted it").waitFor();
    await page.getByText("Attempt 1: 204").waitFor();
    await page.getByText("hidden", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("their-token");
    const body = await page.getByRole("region", { name: "Body as sent" }).last().textContent();
    expect(JSON.parse(body ?? "")).toMatchObject({ id: receiver.ids[0], type: "message.delivered" });
    await expectAccessible();
    await button("Copy as curl").waitFor();
    await button("Replay").click();
    await expect.poll(() => receiver.ids.filter((id) => id === receiver.ids[0]).length).toBe(2);
    await page.getByText("The endpoint accepted it").waitFor();
    await page.getByRole("link", { name: /^msg_/ }).first().click();
    await page.waitForURL("**/messages/msg_*");
  });

  it("finds deliveries by message, state, answer and endpoint in the address", async () => {
    const { data } = (await ask("GET", "/webhook-deliveries?state=delivered")).body;
    await open("/webhooks/deliveries");
    await page.getByRole("searchbox", { name: "Message or event id" }).fill(data[0].message_id);
    await page.waitForURL("**/webhooks/deliveries?message_id=msg_*");
    await page.getByRole("link", { name: "message.delivered" }).first().waitFor();
    await button("State any").click();
    await page.getByRole("menuitemcheckbox", { name: "Failed" }).click();
    await page.waitForURL(/state=failed/);
    await page.getByText("No delivery matches these filters").waitFor();
    await expectAccessible();
    await button("Clear filters").click();
    await page.getByRole("link", { name: "message.delivered" }).first().waitFor();
    expect(await page.getByRole("searchbox", { name: "Message or event id" }).inputValue()).toBe("");
    await open("/webhooks/deliveries?status=5xx");
    await page.getByText("No delivery matches these filters").waitFor();
  });

  it("shows requests and durations over time, and opens the deliveries behind a point", async () => {
    const { id } = await endpointOf(receiver.url);
    await open(`/webhooks/${id}`);
    await page.getByText(/^The endpoint accepted all/).waitFor();
    await page.getByRole("region", { name: "Duration of the requests" }).first().waitFor();
    await page.getByText("2xx accepted").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "7 d", exact: true }).click();
    await page.waitForURL(/period=7d/);
    await page.getByText("As a table").first().click();
    await page.getByRole("button", { name: /^Deliveries of events/ }).last().click();
    await page.waitForURL(/tab=deliveries/);
    await open("/webhooks");
    await page.getByText(/^100.% of \d+ requests?$/).waitFor();
  });

  it("finds out why an endpoint was disabled, enables it with a test event, and replays what it missed", async () => {
    receiver.status = 410;
    await world.send({ to: "grace@example.org", subject: "Lost" });
    await expect
      .poll(async () => (await endpointOf(receiver.url)).disabled?.reason, { timeout: 30_000 })
      .toBe("gone");
    const { id } = await endpointOf(receiver.url);
    await open("/webhooks");
    await page.getByText("Disabled: it answered 410").waitFor();
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByText(/^The endpoint answered 410 \(Gone\)/).waitFor();
    await expectAccessible();
    receiver.status = 204;
    const missed = receiver.ids.at(-1) ?? "";
    await button("Enable").click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Enable" }).click();
    await dialog().getByText("The endpoint is enabled, and has accepted a test event.").waitFor();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Replay what it missed" }).click();
    await dialog().getByText("1 delivery.").waitFor();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Replay 1 delivery" }).click();
    await dialog().getByText("1 delivery is queued to be sent.").waitFor();
    await expect.poll(() => receiver.ids.filter((one) => one === missed).length).toBe(2);
    expect((await ask("GET", `/webhooks/${id}`)).body.disabled).toBeUndefined();
    await dialog().getByRole("link", { name: "Open the job" }).click();
    await page.getByRole("heading", { level: 1, name: "Replay of webhooks" }).waitFor();
    await page.getByRole("link", { name: /^wep_/ }).first().waitFor();
  });

  it("says in the test of an endpoint what it answered", async () => {
    const { id } = await endpointOf(receiver.url);
    receiver.status = 500;
    await open(`/webhooks/${id}`);
    await button("Send a test event").click();
    await dialog().getByRole("button", { name: "Send a test event" }).click();
    await dialog().getByText(/^Not accepted: /).waitFor();
    await dialog().getByText("no more").waitFor();
    await expectAccessible();
    receiver.status = 204;
    await dialog().getByRole("button", { name: "Close" }).last().click();
    await open(`/webhooks/${id}?tab=deliveries&state=pending`);
    await button("Send all pending now").click();
    await page.getByText(/delivery due now|deliveries due now/).waitFor();
  });

  it("changes settings without the values of headers, and never overwrites another member's change", async () => {
    const { id } = await endpointOf(receiver.url);
    await open(`/webhooks/${id}?tab=settings`);
    await page.getByLabel("Description").fill("Orders of the shop");
    await button("Save").click();
    await page.getByText("The settings are saved.").waitFor();
    await world.send({ to: "ada@example.org", subject: "With the header" });
    await expect.poll(() => receiver.tokens.at(-1), { timeout: 30_000 }).toBe(TOKEN);
    const now = (await ask("GET", `/webhooks/${id}`)).body;
    await ask("PUT", `/webhooks/${id}`, {
      url: now.url,
      description: "By another member",
      types: ["message.bounced"],
      headers: [{ name: "Authorization" }],
      revision: now.revision,
    });
    await page.getByLabel("Requests per second").fill("5");
    await button("Save").click();
    await button("Load the current settings").waitFor();
    await expectAccessible();
    await button("Load the current settings").click();
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("By another member");
    await page.getByLabel("URL").fill(`${receiver.url}/moved`);
    await page.getByText("The URL has changed.").waitFor();
    await expectAccessible();
  });

  it("rotates the secret with an overlap, and names the time until which the former one signs", async () => {
    const { id } = await endpointOf(receiver.url);
    await open(`/webhooks/${id}?tab=settings`);
    await button("Rotate").click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Rotate" }).click();
    await dialog().getByText("Store this now.").waitFor();
    expect(await takeSecret()).toMatch(/^whsec_/);
    await page.getByText(/^Former, signs until/).waitFor();
    await page.getByText(/requests have the signatures of both/).waitFor();
    expect((await ask("GET", `/webhooks/${id}`)).body.secrets).toHaveLength(2);
    await expectAccessible();
  });

  it.each([["HMAC-SHA256"], ["Ed25519"]])("verifies a test event by the program of the page: %s", async (name) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks/mail`;
    const folder = await mkdtemp(path.join(tmpdir(), "hermod-verify-page-"));
    await add(url);
    await page.getByRole("radio", { name }).check();
    await button("Add an endpoint").click();
    const secret = name === "Ed25519" ? "" : await takeSecret();
    await page.waitForURL("**/webhooks/wep_*?tab=verify");
    await page.getByText("receiver.mjs", { exact: true }).waitFor();
    await expectAccessible();
    const code = (await page.getByRole("region", { name: "Program" }).textContent()) ?? "";
    expect(code).toContain(url);
    await writeFile(path.join(folder, "receiver.mjs"), code);
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
    const child = spawn(process.execPath, ["receiver.mjs"], { cwd: folder, env });
    try {
      await eventually(async () => (await acceptsConnections(port)) || undefined);
      await button("Send a test event").click();
      await dialog().getByRole("button", { name: "Send a test event" }).click();
      await dialog().getByText(/^Accepted with 204 after/).waitFor();
    } finally {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("shows each event type with its fields and an example, and finds it by a field", async () => {
    await open("/webhooks/events");
    await page.getByRole("searchbox", { name: "Search events" }).fill("machine_reason clicked");
    await page.waitForURL(/search=machine_reason/);
    await page.getByText("1 event type", { exact: true }).waitFor();
    await button("message.clicked").click();
    await page.waitForURL(/type=message.clicked/);
    await page.getByRole("cell", { name: "data.machine_reason", exact: true }).waitFor();
    const example = await page.getByRole("region", { name: "Example" }).textContent();
    expect(JSON.parse(example ?? "")).toMatchObject({ type: "message.clicked" });
    await expectAccessible();
  });

  it("disables and deletes an endpoint", async () => {
    await add("https://old.example.com/hooks");
    await button("Add an endpoint").click();
    await takeSecret();
    await page.waitForURL("**/webhooks/wep_*");
    await button("More").click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled by a member").first().waitFor();
    await button("More").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expectAccessible();
    await dialog().getByRole("button", { name: "Remove" }).click();
    await page.waitForURL("**/dashboard/webhooks");
    expect(await endpointOf("https://old.example.com/hooks")).toBeUndefined();
  });

  it.each([320, 360, 768, 1280])("fits into %i px", async (width) => {
    const { id } = await endpointOf(receiver.url);
    const delivery = (await ask("GET", "/webhook-deliveries?state=delivered")).body.data[0].id;
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
      await open(address);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
      expect([address, await visit.overflow()]).toEqual([address, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
