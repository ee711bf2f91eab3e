import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type FakeRelay, startFakeRelay } from "../harness/fake-relay.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

interface Counted {
  readonly points: readonly string[];
  readonly series: readonly {
    readonly value: string;
    readonly kind: string;
    readonly sum: number;
    readonly counts: readonly number[];
  }[];
}

describe.skipIf(browser.missing)(`the overview${browser.note}`, () => {
  let world: DashboardWorld;
  let relay: FakeRelay;
  let visit: Visit;
  let page: Page;
  /** Sends a request to the API in the session of the page. */
  const api = async <Body>(path: string): Promise<Body> =>
    (await visit.context.request.get(`${world.url}/api${path}`)).json();
  const counted = (query = "") => api<Counted>(`/counters?step=hour${query}`);
  const figure = (label: string) => page.locator(".figure", { hasText: label });
  const plot = (title: string) => page.getByRole("region", { name: title, exact: true }).first();

  beforeAll(async () => {
    relay = await startFakeRelay();
    world = await openDashboard();
    const servers = [{ host: "127.0.0.1", port: relay.port }];
    const transports = [{ kind: { case: "smtp" as const, value: { servers, tls: "none" } } }];
    await world.hermod.core.policies.putPolicy({ policy: { name: "relay", transports } });
    const delivered = { routing_policy: "relay", to: "ines@northwind.example" };
    for (const subject of ["First", "Second", "Third"]) await world.send({ ...delivered, subject });
    await world.send({ to: "captured@example.org", subject: "Captured" });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await world.send({ to: "later@example.org", subject: "Scheduled", send_at: later });
    visit = await world.signIn("/messages");
    page = visit.page;
  });
  afterAll(async () => {
    await world?.dispose();
    await relay?.close();
  });

  it("shows the figures of the API, and the limits that providers publish", async () => {
    const sums = async () => {
      const found = new Map((await counted()).series.map(({ kind, sum }) => [kind, sum]));
      return [found.get("delivered"), found.get("captured")];
    };
    await expect.poll(sums, { timeout: 60_000 }).toEqual([3, 1]);
    await page.goto(`${world.url}/dashboard/?period=24h`);
    await figure("Accepted").waitFor();
    expect(await figure("Accepted").locator(".value").textContent()).toBe("5");
    expect(await figure("Delivered").locator(".value").textContent()).toBe("100\u00a0%");
    expect(await figure("Deferred").getByRole("link").textContent()).toBe("1 message in the sandbox");
    const { provider_limits: limits } = await api<{
      provider_limits: readonly { measure: string; level: string; rate: number }[];
    }>("/installation");
    const least = Math.min(
      ...limits.flatMap(({ measure, level, rate }) =>
        measure === "complaints" && level === "limit" ? rate : [],
      ),
    );
    await figure("Complaints")
      .getByText(`${Math.round(least * 10_000) / 100} %`, { exact: false })
      .waitFor();
  });

  it("opens, by keyboard, the messages accepted in the time of a point", async () => {
    const { points, series } = await counted("&kind=accepted");
    const volume = plot("Messages every hour");
    await volume.getByText("As a table").focus();
    await page.keyboard.press("Enter");
    const last = volume.getByRole("button").last();
    await last.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/messages?**");
    const asked = new URL(page.url()).searchParams;
    const index = points.indexOf(new Date(asked.get("from") ?? "").toISOString());
    expect(Date.parse(asked.get("until") ?? "") - Date.parse(asked.get("from") ?? "")).toBe(3_600_000);
    await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
    expect(await page.locator("tbody tr").count()).toBe(series[0]?.counts[index]);
    await page.goBack();
    await figure("Accepted").waitFor();
  });

  it("shows the latency of the API as a table", async () => {
    const { series } = await api<{ series: readonly { all: { count: number } | null }[] }>(
      "/counters/latency?step=hour",
    );
    expect(series[0]?.all?.count).toBe(3);
    const latency = plot("Time to delivery");
    await latency.getByText("As a table").click();
    const cells = await latency.getByRole("row").last().getByRole("cell").allTextContents();
    expect(cells).toHaveLength(4);
    for (const cell of cells.slice(1)) expect(cell).toMatch(/^[\d.]+ (?:ms|s)/);
  });

  it("shows figures by API key, and opens its messages", async () => {
    await page.getByRole("link", { name: "API key", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("by") === "key");
    const table = page.getByRole("region", { name: "API key", exact: true });
    const { series } = await counted("&dimension=key&kind=accepted");
    await table.getByRole("cell", { name: "5", exact: true }).first().waitFor();
    await table.getByRole("link").first().click();
    await page.waitForURL((url) => url.searchParams.get("key_id") === series[0]?.value);
    await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
    expect(await page.locator("tbody tr").count()).toBe(5);
    await page.goBack();
    await figure("Accepted").waitFor();
  });

  it("names keys that expire soon, and counts the others", async () => {
    const expiresAt = timestampFromDate(new Date(Date.now() + 3 * 86_400_000));
    for (let n = 0; n < 6; n++) await world.hermod.core.keys.createKey({ name: `Till ${n}`, expiresAt });
    expect(await api("/attention")).toMatchObject({ expiring_key_count: 6, webhooks: [] });
    await page.reload();
    await page.getByText(/"Till 0" expires/).waitFor();
    await page.getByText("1 more key expires soon").waitFor();
  });

  it("names a broken domain even if many others are before it, shows that there are more, and shows a failure", async () => {
    const addDomain = (domain: string) => world.hermod.core.domains.addDomain({ domain });
    for (let n = 0; n < 9; n++) await addDomain(`a${n}.example`);
    await page.reload();
    await page.getByText("More domains are not verified").waitFor();
    const list = page.getByRole("region", { name: "Needs you" });
    expect(await list.getByText(/^a\d\.example/).count()).toBe(5);
    // Answers of an account with its only broken domain at the end: filtered pages before it are empty.
    const asked: (string | null)[] = [];
    const ofDomains = (url: URL) => url.pathname === "/api/domains";
    await page.route(ofDomains, async (route) => {
      const query = new URL(route.request().url()).searchParams;
      asked.push(query.get("status"));
      if (query.get("status") !== "failed") return route.fulfill({ json: { data: [], has_more: false } });
      const isLast = query.get("cursor") === "later";
      const last = { name: "zz.example", status: "failed", reasons: ["The DKIM record is gone."] };
      const page = isLast
        ? { data: [last], has_more: false }
        : { data: [], has_more: true, next_cursor: "later" };
      return route.fulfill({ json: page });
    });
    await page.reload();
    await list.getByText("zz.example: The DKIM record is gone.").waitFor();
    expect(asked.every((status) => status !== null)).toBe(true);
    visit.tolerate(/ERR_CONNECTION_REFUSED/);
    // Replaces the answers above at once: a refresh between two of their pages would send their cursor to Hermod.
    await page.route(ofDomains, (route) => route.abort("connectionrefused"));
    await page.reload();
    await list.getByRole("alert").waitFor();
    expect(await page.getByText("Nothing needs you now.").count()).toBe(0);
    await page.unroute(ofDomains);
  });

  it("shows the queue of the API", async () => {
    expect(await api("/queue")).toMatchObject({ waiting: 0, scheduled: 1, oldest_at: null });
    await page.getByText("0 messages wait, 1 scheduled.").waitFor();
  });

  it("is accessible and fits the screen", async () => {
    await plot("Time to delivery").waitFor();
    expect(await visit.violations()).toEqual([]);
    await page.setViewportSize({ width: 768, height: 860 });
    expect(await visit.overflow()).toBe(0);
  });
});
