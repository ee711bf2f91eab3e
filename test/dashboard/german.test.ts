import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { hasEnglishWord, shownTexts } from "../harness/english-words.ts";
import { fillPages, shownQueries } from "../harness/shown-queries.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

/** The queries, which do not depend on the ids of an account. */
const names = Object.keys(
  shownQueries(new Proxy({} as Parameters<typeof shownQueries>[0], { get: () => "" })),
);
/** Texts of the account, and of alerts about its watched domains. */
const own = [
  "Your order",
  "Earlier words",
  "Later words",
  "Thank you.",
  "Your receipt",
  "Till Friday",
  "changed from pending to",
];

describe.skipIf(browser.missing)(`the pages in German${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  let queries: ReturnType<typeof shownQueries>;
  const visited = new Set<string>();
  let delivery: string;
  let refused: string;

  beforeAll(async () => {
    world = await openDashboard();
    const english = await world.signIn("/keys");
    const things = await fillPages(world, english);
    delivery = things.delivery;
    refused = await sendToClosedPort(world);
    queries = shownQueries(things);
    const cookies = await english.context.cookies();
    await english.leave();
    visit = await world.visit({ language: "de-DE" });
    await visit.context.addCookies(cookies);
    // A client without a label of its own.
    visit.tolerate(/status of 404 .*\/intel\/labels\//);
  });
  afterAll(() => world?.dispose());

  it("are shown to a German browser, and in English after this choice", async () => {
    const { page } = visit;
    await page.goto(`${world.url}/dashboard/user`);
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("combobox", { name: "Sprache" }).click();
    await page.getByRole("option", { name: "English" }).click();
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: "Same as the browser" }).click();
    await page.getByRole("combobox", { name: "Sprache" }).waitFor();
  });

  it("say errors of attempts in German, and the words of a server as they are", async () => {
    const { page } = visit;
    await page.goto(`${world.url}/dashboard/webhooks/deliveries/${delivery}`);
    await page.getByText("tested.example.com hat keine Adresse").first().waitFor();
    await page.goto(`${world.url}/dashboard/messages/${refused}`);
    await page.getByText("Verbindung abgelehnt (connect ECONNREFUSED 127.0.0.1:1)").first().waitFor();
    expect(await page.evaluate<string[]>(shownTexts)).not.toContain("connect ECONNREFUSED 127.0.0.1:1");
  });

  // Each is a test of its own: together they would take longer than the time limit of one.
  it.each(names)("contain no English word where %s is shown", async (name) => {
    const { page, violations } = visit;
    const found: string[] = [];
    for (const path of pathsOf(queries[name]?.at ?? "")) {
      if (visited.has(path)) continue;
      visited.add(path);
      await page.goto(`${world.url}/dashboard${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.getByText("Wird geladen").count(), { timeout: 30_000 }).toBe(0);
      const texts = await page.evaluate<string[]>(shownTexts);
      found.push(...texts.filter(isEnglish).map((text) => `${path}: ${text}`));
      expect({ path, violations: await violations() }).toEqual({ path, violations: [] });
    }
    expect(found).toEqual([]);
  });
});

/** The page of a query, and further tabs of some. The sign-in page is not included. */
function pathsOf(at: string): readonly string[] {
  if (at.startsWith("/sign-in")) return [];
  if (/^\/webhooks\/wep_\w+$/.test(at)) return [at, `${at}?tab=settings`, `${at}?tab=verify`];
  if (/^\/heartbeats\/hbt_\w+$/.test(at)) return [at, `${at}?tab=settings`, `${at}?tab=setup`];
  if (/^\/targets\/atg_\w+$/.test(at)) return [at, `${at}?tab=settings`];
  if (at.startsWith("/alerts/set-up/"))
    return [
      at,
      "/alerts/set-up",
      ...["alertmanager", "grafana", "sentry"].map((one) => `/alerts/set-up/${one}`),
    ];
  if (at.startsWith("/targets?")) return [at, "/targets/new"];
  if (/^\/intel\/domains\/dom_\w+$/.test(at)) return [at, `${at}?tab=checks`, `${at}?tab=settings`];
  return [at];
}

/** Sends a message to a relay that refuses connections. */
async function sendToClosedPort(world: DashboardWorld): Promise<string> {
  const smtp = { servers: [{ host: "127.0.0.1", port: 1 }] };
  await world.hermod.core.policies.putPolicy({
    policy: { name: "closed", transports: [{ kind: { case: "smtp", value: smtp } }] },
  });
  return world.send({ to: "late@example.org", subject: "Late", routing_policy: "closed" });
}

const isEnglish = (text: string) => hasEnglishWord(text) && !own.some((one) => text.includes(one));
