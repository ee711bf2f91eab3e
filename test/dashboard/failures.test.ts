import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Problem, problem } from "../../contracts/common/problem.ts";
import { filesWithOwnQueries, type PageQuery, pageQueries } from "../harness/dashboard-queries.ts";
import { type DashboardWorld, LOST_PARTS, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { fillPages, PAGE_DOMAIN, type Shown, shownQueries } from "../harness/shown-queries.ts";
import { createGate } from "../harness/signal.ts";
import { eventually } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const TRACE_ID = "sx_01k9z4c3r8h2v6y0n5t7w1x3q9";

/** Whether the page has no session: it has no dialog that asks for the password. */
const withoutSession = new Set(["sharedRecordsQuery", "signInOptionsQuery", "sessionQuery"]);

/** A problem document of Hermod, checked with the schema of the contract. */
function problemWith(
  status: number,
  code: Problem["code"],
  detail: string,
  errors: Problem["errors"],
): Problem {
  return problem.parse({
    type: `/docs/errors#${code}`,
    title: "A problem",
    status,
    detail,
    instance: "/api/messages",
    code,
    sx_trace_id: TRACE_ID,
    errors,
  });
}

type Answer = (route: Route) => Promise<void>;

const answer =
  (
    status: number,
    code: Problem["code"],
    detail: string,
    { headers = {}, errors = [] as Problem["errors"] } = {},
  ) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers: { "content-type": "application/problem+json", ...headers },
      body: JSON.stringify(problemWith(status, code, detail, errors)),
    });

const of = (status: number, contentType: string, body: string) => (route: Route) =>
  route.fulfill({ status, contentType, body });

const LOGIN = "<h1>Sign in to this network</h1>";
const notHermod = (status: number) =>
  `The server answered with something other than Hermod (HTTP ${status}).`;

/** Temporary failures, with the sentence that the page shows. */
const passing: readonly (readonly [name: string, fail: Answer, sentence: string])[] = [
  ["no connection", (route) => route.abort("connectionrefused"), "Hermod cannot be reached."],
  ["500", answer(500, "internal.error", "Something went wrong inside."), "Something went wrong inside."],
  [
    "503 with Retry-After",
    answer(503, "store.unavailable", "The database is away.", { headers: { "retry-after": "1" } }),
    "The database is away.",
  ],
  ["409", answer(409, "resource.stale", "It was changed since."), "It was changed since."],
  [
    "422 with pointers",
    answer(422, "request.validation_failed", "The request has faults.", {
      errors: [{ pointer: "/from", code: "time.invalid", message: "It is no time." }],
    }),
    "It is no time.",
  ],
  [
    "429 with Retry-After",
    answer(429, "rate.limited", "Too many requests.", { headers: { "retry-after": "1" } }),
    "Try again in 1 second.",
  ],
  ["HTML of a proxy", of(502, "text/html", "<h1>Bad Gateway</h1>"), notHermod(502)],
  ["HTML of a network that asks for a sign-in", of(200, "text/html", LOGIN), notHermod(200)],
  ["JSON that was cut", of(200, "application/json", '{"data":[{"id":'), notHermod(200)],
  ["JSON of another server", of(200, "application/json", '{"status":"ok"}'), notHermod(200)],
  ["JSON of another kind", of(200, "application/json", "[]"), notHermod(200)],
  ["an empty body", of(200, "application/json", ""), notHermod(200)],
];
/** Failures that a retry does not solve. */
const lasting: typeof passing = [
  ["403", answer(403, "auth.permission_missing", "Your role lacks it."), "Your role does not allow this"],
  ["404", answer(404, "message.unknown", "There is none."), "This does not exist"],
];
const ended = answer(401, "auth.session_invalid", "The session has ended.");
const pass: Answer = (route) => route.fallback();

/** Number of pages that are used at the same time: a query mostly waits for its next attempt. */
const PAGES = 3;
const TIMEOUT_MS = 1_200_000;
const STEP_MS = 30_000;
const queries = await pageQueries();

describe.skipIf(browser.missing)(`a query of the dashboard that fails${browser.note}`, () => {
  let world: DashboardWorld;
  let visits: Visit[];
  let rows: Readonly<Record<string, Shown>>;
  /** Tests that wait for a page. */
  const waiting: ((visit: Visit) => void)[] = [];

  beforeAll(async () => {
    world = await openDashboard();
    const first = await world.signIn("/keys");
    rows = shownQueries(await fillPages(world, first));
    const others = Array.from({ length: PAGES - 1 }, () => world.signIn("/keys"));
    visits = [first, ...(await Promise.all(others))];
    for (const { page, tolerate } of visits) {
      page.setDefaultTimeout(STEP_MS);
      // Each failure occurs once, and the page shows it.
      tolerate(/Failed to load resource|Problem:/);
    }
  });
  afterAll(() => world?.dispose());

  async function withVisit(use: (visit: Visit) => Promise<void>): Promise<void> {
    const visit = visits.pop() ?? (await new Promise<Visit>((resolve) => waiting.push(resolve)));
    try {
      await use(visit);
    } finally {
      await visit.page.unrouteAll({ behavior: "ignoreErrors" });
      const next = waiting.shift();
      if (next) next(visit);
      else visits.push(visit);
    }
  }

  it("has a row in this table", async () => {
    expect(Object.keys(rows).toSorted()).toEqual(queries.map(({ name }) => name).toSorted());
    expect(await filesWithOwnQueries()).toEqual([]);
  });

  it.concurrent.each(queries.map((query) => [query.name, query] as const))(
    "never shows %s as empty, shows the error, and continues when it is resolved",
    (name, query) =>
      withVisit(async ({ page }) => {
        const shown = rows[name] as Shown;
        const trial = await createTrial({ page, query, shown, url: world.url });
        if (shown.stays !== undefined) await trial.staysWithout();
        else {
          await trial.chain();
          await trial.withoutSecondTry();
        }
        await trial.whileItIsSlow();
        if (!withoutSession.has(name) && shown.stays === undefined)
          await trial.asksForPassword(world.password);
      }),
    TIMEOUT_MS,
  );

  it("asks for the password in place after the session has ended, and then shows the requested data", async () => {
    const { page, context, tolerate, leave } = await world.signIn("/keys");
    tolerate(/status of 401/);
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await context.clearCookies();
    await page.getByRole("link", { name: "Domains", exact: true }).click();
    await signInAgain(page, world.password);
    await page.getByRole("link", { name: PAGE_DOMAIN }).waitFor();
    await leave();
  });

  it("reports that the browser has no network, also if the script of the page is not loaded yet", async () => {
    const { page, context, tolerate, leave } = await world.signIn("/keys");
    tolerate(/ERR_|Hermod cannot be reached/);
    tolerate(LOST_PARTS);
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await context.setOffline(true);
    await page.getByRole("link", { name: "Suppressions" }).click();
    await page.getByRole("main").getByRole("button").first().waitFor();
    expect(await page.getByText("No suppressed addresses").count()).toBe(0);
    await context.setOffline(false);
    await page.getByRole("main").getByRole("button").first().click();
    await page.getByText("No suppressed addresses").or(page.getByRole("table")).first().waitFor();
    await leave();
  });
});

interface TrialParts {
  readonly page: Page;
  readonly query: PageQuery;
  readonly shown: Shown;
  readonly url: string;
}

/** One query on its page. Its requests fail as the test requires. */
async function createTrial({ page, query, shown, url }: TrialParts) {
  let current = pass;
  let requests = 0;
  await page.route(
    () => true,
    (route) => {
      if (!query.isSent({ method: () => route.request().method(), url: () => route.request().url() }))
        return route.fallback();
      requests++;
      return current(route);
    },
  );
  const alerts = page.getByRole("alert");
  const retries = page.getByRole("button", { name: "Try again" });
  const text = page.getByText(shown.text, { exact: shown.isWhole ?? false }).first();

  async function open(fail: Answer): Promise<void> {
    current = fail;
    requests = 0;
    // A URL that differs only in its fragment loads nothing.
    await page.goto("about:blank");
    await page.goto(`${url}/dashboard${shown.at}`);
    await shown.open?.(page);
  }

  /** Retries with each button that offers it. After that, the page shows the results of the new attempts. */
  async function retryAll(next: Answer): Promise<void> {
    // Figures are requested again automatically: a request that the test holds would load without an end.
    await untilLoaded();
    const old = createGate();
    current = async (route) => {
      await old.opened;
      return next(route);
    };
    // The requests wait, so that no shown fault is one of theirs. One of several queries may still fail in the former way.
    await until(async () => {
      await retries.evaluateAll(pressAll);
      return (await retries.count()) === 0;
    });
    current = next;
    old.open();
  }

  const untilLoaded = () =>
    until(async () => (await page.getByText("Loading", { exact: true }).count()) === 0);

  /** Compares the page's text of a failure with the expected one. */
  async function expectSaid([name, , sentence]: (typeof passing)[number]): Promise<void> {
    if (name === "404" && shown.missing) return page.getByText(shown.missing).waitFor();
    const alert = alerts.filter({ hasText: sentence }).first();
    await alert.waitFor().catch(async (error: unknown) => {
      throw new Error(`${name}: the page says ${JSON.stringify(await page.locator("#app").textContent())}`, {
        cause: error,
      });
    });
    const hasTrace = /^\d/.test(name);
    const said = (await alert.textContent()) ?? "";
    expect([name, said.includes(TRACE_ID), await text.isVisible()]).toEqual([name, hasTrace, false]);
  }

  async function expectWell(): Promise<void> {
    await text.waitFor();
    await until(async () => (await alerts.count()) === 0);
    await untilLoaded();
  }

  return {
    /** Each failure follows the previous one after a press of the retry button. */
    chain: async () => {
      for (const [index, failure] of passing.entries()) {
        if (index === 0) await open(failure[1]);
        else await retryAll(failure[1]);
        await expectSaid(failure);
      }
      await retryAll(pass);
      await expectWell();
    },
    withoutSecondTry: async () => {
      for (const failure of lasting) {
        await open(failure[1]);
        await expectSaid(failure);
        expect(await retries.count()).toBe(0);
      }
    },
    /** The page is shown without the answer, and claims nothing about it. */
    staysWithout: async () => {
      for (const [name, fail] of [...passing, ...lasting]) {
        await open(fail);
        await page
          .getByText(shown.stays ?? "")
          .first()
          .waitFor();
        if (shown.says) await page.getByText(shown.says).waitFor();
        await until(() => requests > 0);
        expect({ name, isVisible: await text.isVisible() }).toEqual({ name, isVisible: false });
      }
    },
    whileItIsSlow: async () => {
      const held: Route[] = [];
      await open(async (route) => void held.push(route));
      await until(() => held.length > 0);
      if (shown.stays === undefined)
        await page.getByRole("status").filter({ hasText: "Loading" }).first().waitFor();
      expect([await text.isVisible(), await alerts.count()]).toEqual([false, 0]);
      current = pass;
      await Promise.all(held.map((route) => route.fallback()));
      await expectWell();
    },
    /** A dialog asks and can be closed: then the page explains why it shows nothing. */
    asksForPassword: async (password: string) => {
      await open(ended);
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      await dialog.waitFor();
      expect(await text.isVisible()).toBe(false);
      await page.keyboard.press("Escape");
      await alerts.filter({ hasText: "Your session has ended. Sign in again." }).first().waitFor();
      await dialog.waitFor({ state: "detached" });
      await retries.first().click();
      await dialog.waitFor();
      current = pass;
      await signInAgain(page, password);
      await expectWell();
    },
  };
}

/** Runs in the page. */
function pressAll(buttons: readonly unknown[]): void {
  for (const button of buttons as readonly { click(): void }[]) button.click();
}

/** For tests that run concurrently: vitest cannot poll in them. */
const until = (isTrue: () => boolean | Promise<boolean>) =>
  eventually(async () => ((await isTrue()) ? true : undefined), STEP_MS);

async function signInAgain(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.locator("input[type=password]").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.waitFor({ state: "detached" });
}
