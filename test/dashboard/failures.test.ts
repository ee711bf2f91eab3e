import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Problem, problem } from "../../contracts/common/problem.ts";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const TRACE_ID = "sx_01k9z4c3r8h2v6y0n5t7w1x3q9";

/** Pages, the path of their main query, and the text of an empty list, which no failure may show. */
const pages = [
  ["/", "/api/counters", "No mail in this period."],
  ["/", "/api/counters/latency", "p50"],
  ["/", "/api/queue", "No message waits."],
  ["/start", "/api/start", "0 of 7"],
  ["/messages", "/api/messages", "No messages yet"],
  ["/sandbox", "/api/sandbox/messages", "No captured mail"],
  ["/suppressions", "/api/suppressions", "No suppressed addresses"],
  ["/domains", "/api/domains", "No domains yet"],
  ["/senders", "/api/senders", "No senders yet"],
  ["/keys", "/api/keys", "No keys yet"],
  ["/requests", "/api/requests", "No requests yet"],
  ["/jobs", "/api/jobs", "No jobs yet"],
] as const;

/** A problem document as Hermod answers it: the schema of the contract holds it. */
function problemWith(status: number, code: Problem["code"], detail: string): Problem {
  return problem.parse({
    type: `/docs/errors#${code}`,
    title: "A problem",
    status,
    detail,
    instance: "/api/messages",
    code,
    sx_trace_id: TRACE_ID,
    errors: [],
  });
}

const answer =
  (status: number, code: Problem["code"], detail: string, headers = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers: { "content-type": "application/problem+json", ...headers },
      body: JSON.stringify(problemWith(status, code, detail)),
    });

/** What goes wrong, and a sentence that the page says then. */
const failures = {
  "no connection": [(route: Route) => route.abort("connectionrefused"), "Hermod cannot be reached."],
  "500": [answer(500, "internal.error", "Something went wrong inside."), "Something went wrong inside."],
  "503 with Retry-After": [
    answer(503, "store.unavailable", "The database is away.", { "retry-after": "1" }),
    "The database is away.",
  ],
  "403": [answer(403, "auth.permission_missing", "Your role lacks it."), "Your role does not allow this"],
  "404": [answer(404, "message.unknown", "There is none."), "This does not exist"],
  "429": [
    answer(429, "rate.limited", "Too many requests.", { "retry-after": "1" }),
    "Try again in 1 second.",
  ],
  "HTML of a proxy": [
    (route: Route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }),
    "The server answered with something other than Hermod (HTTP 502).",
  ],
} as const;

describe.skipIf(browser.missing)(`a query of the dashboard that fails${browser.note}`, () => {
  let world: DashboardWorld;
  let visit: Visit;
  beforeAll(async () => {
    world = await openDashboard();
    visit = await world.signIn("/keys");
  });
  afterAll(() => world?.dispose());

  const cases = pages.flatMap((page) => Object.keys(failures).map((failure) => [...page, failure] as const));

  it.each(cases)(
    "on %s (%s) never shows %j with %s, and says what went wrong",
    async (path, query, empty, failure) => {
      const [fail, sentence] = failures[failure as keyof typeof failures];
      const { page } = visit;
      // Playwright removes a route by the same function alone.
      const isQuery = ofQuery(query);
      await page.route(isQuery, fail);
      await page.goto(`${world.url}/dashboard${path}`);
      const alert = page.getByRole("alert").first();
      await alert.waitFor();
      expect(await alert.textContent()).toContain(sentence);
      if (fail.toString().includes("TRACE") || /^\d/.test(failure))
        expect(await alert.textContent()).toContain(TRACE_ID);
      expect(await page.getByText(empty).count()).toBe(0);
      await page.unroute(isQuery);
      await recover(page, failure);
      await page.getByRole("alert").first().waitFor({ state: "detached" });
    },
  );

  it("asks for the password in place where the session has ended, and shows what was asked for then", async () => {
    const { page, context, leave } = await world.signIn("/keys");
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await context.clearCookies();
    await page.getByRole("link", { name: "Domains" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Your session has ended").waitFor();
    await dialog.locator("input[type=password]").fill(world.password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByText("No domains yet").waitFor();
    await leave();
  });
});

/** Requests of exactly this path, whatever their query says. */
const ofQuery = (path: string) => (url: URL) => url.pathname === path;

/** What cannot pass by itself has no button: the page is loaded again. */
async function recover(page: Page, failure: string): Promise<void> {
  if (failure === "403" || failure === "404") {
    await page.reload();
    return;
  }
  const buttons = page.getByRole("button", { name: "Try again" });
  for (let left = await buttons.count(); left > 0; left--) {
    await buttons.first().click();
    await expect.poll(() => buttons.count(), { timeout: 30_000 }).toBeLessThan(left);
  }
}
