import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { followSecrets } from "./page-secrets.ts";
import { type Hermod, startHermod } from "./start-hermod.ts";
import { freePort } from "./tcp-proxy.ts";

/** A started Hermod and a Chromium for its dashboard. */
export interface DashboardWorld {
  readonly hermod: Hermod;
  readonly url: string;
  /** The current password of the first user, after the initial one was replaced. */
  readonly password: string;
  /** Opens a fresh browser. */
  visit(check?: Look): Promise<Visit>;
  /** The same, signed in as the first user, at a path of the dashboard. */
  signIn(path?: string, check?: Look): Promise<Visit>;
  /** Sends a message over the HTTP API. @returns its id */
  send(message?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Sends a message with this API key. */
  sendWith(apiKey: string, message?: Readonly<Record<string, unknown>>): Promise<Response>;
  /** Sends an alert over the HTTP API. */
  report(alert: object): Promise<Response>;
  dispose(): Promise<void>;
}

/** Display options of a page. Sizes in CSS pixels. */
export interface Look {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** Language of the browser, as `de-DE`. */
  readonly language?: string;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Faults that no page may cause, collected so far: see `watchPage`. */
  readonly faults: readonly string[];
  /**
   * Ignores faults that the test causes and that the page also reports elsewhere, such as an answer with an error
   * status.
   */
  tolerate(fault: RegExp): void;
  /**
   * Checks accessibility (WCAG 2.2 AA) with axe, widths beyond the window, and secrets that the page keeps. With
   * HERMOD_TEST_LONG=all it checks light and dark colors, each in a wide and a narrow window; otherwise each call
   * uses the next of these. Empty: no faults.
   * @param as "it is": with the current colors and width, where the pointer and the focus matter; a function opens
   *   elements that close when the window changes, such as a menu, and Escape closes them again
   */
  violations(as?: "it is" | (() => Promise<void>)): Promise<string[]>;
  /** Excess width of the page over its window, or of a list over its card, in CSS pixels; 0: everything fits. */
  overflow(): Promise<number>;
  /** Secrets in the address, storage or a cache of the page; empty: none. */
  secretsLeft(): Promise<string[]>;
  /** Ends the visit. @throws if the page caused a fault that is not tolerated, or has kept a secret */
  leave(): Promise<void>;
}

/** Messages of a browser about parts of the frame that load after the page, if the connection is cut before. */
export const LOST_PARTS =
  /^console: (?:TypeError: Failed to fetch dynamically imported module|Error: Unable to preload CSS)/;

/** Colors and sizes in which axe checks the pages. */
const looks = [
  { colorScheme: "light", isNarrow: false },
  { colorScheme: "dark", isNarrow: true },
  { colorScheme: "dark", isNarrow: false },
  { colorScheme: "light", isNarrow: true },
] as const;
const NARROW = { width: 320, height: 700 };
const TIMEOUT_MS = 60_000;
const PASSWORD = "violet harbour tantrum 83";
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export async function openDashboard(
  settings: Readonly<Record<string, string>> = {},
): Promise<DashboardWorld> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const hermod = await startHermod({
    settings: { HERMOD_HTTP_PORT: String(port), HERMOD_BASE_URL: url, ...settings },
  });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    timeout: TIMEOUT_MS,
    args: ["--no-sandbox"],
  });
  const { email, password: initial } = hermod.firstRun.dashboard;
  await replacePassword(url, { email, initial });
  const open = new Set<Visit>();
  const visit = async (check?: Look) => {
    const visited = await openPage(browser, url, check);
    open.add(visited);
    const leave = async () => {
      open.delete(visited);
      await visited.leave();
    };
    return { ...visited, leave };
  };
  const postWith = (apiKey: string, path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const sendWith: DashboardWorld["sendWith"] = (apiKey, message = {}) =>
    postWith(apiKey, "/v1/email/send", {
      from: hermod.firstRun.sender,
      to: "ada@example.org",
      subject: "Your receipt",
      html: "<p>Thank you.</p>",
      ...message,
    });
  return {
    hermod,
    url,
    password: PASSWORD,
    visit,
    signIn: async (path = "/", check) => {
      const visited = await visit(check);
      await visited.page.goto(`${url}/dashboard${path}`);
      await enter(visited.page, email);
      return visited;
    },
    sendWith,
    report: (alert) => postWith(hermod.firstRun.api_key, "/v1/alerts/ingest", alert),
    send: async (message) => {
      const answer = await sendWith(hermod.firstRun.api_key, message);
      const body = (await answer.json()) as { readonly message_id?: string };
      if (body.message_id === undefined) throw new Error(`The message was refused: ${JSON.stringify(body)}`);
      return body.message_id;
    },
    dispose: async () => {
      const left = await Promise.allSettled([...open].map((visited) => visited.leave()));
      await browser.close();
      await hermod.dispose();
      const faults = left.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
      if (faults.length > 0) throw new Error(faults.join("\n"));
    },
  };
}

/** Submits the sign-in page as the first user, and waits for the next page. */
export async function enter(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((address) => !address.pathname.endsWith("/sign-in"));
  await page.getByRole("heading", { level: 1 }).waitFor();
}

async function replacePassword(
  url: string,
  { email, initial }: { readonly email: string; readonly initial: string },
): Promise<void> {
  const headers = { "content-type": "application/json", origin: url };
  const entered = await post(`${url}/api/session`, headers, { email, password: initial });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(";", 1)[0])
    .join("; ");
  await post(
    `${url}/api/session/password`,
    { ...headers, cookie },
    {
      current_password: initial,
      new_password: PASSWORD,
    },
  );
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: object): Promise<Response> {
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function openPage(
  browser: Browser,
  url: string,
  { scheme = "light", width = 1280, height = 860, language = "en-US" }: Look = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: language,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const faults = watchPage(page, url);
  const secrets = followSecrets(page, context);
  const tolerated: RegExp[] = [];
  const overflow = async () => {
    // Other fonts have other widths.
    await page.evaluate("document.fonts.ready");
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
    // Tables of numbers may scroll; a list must not hide a cell.
    const ofLists = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.scroll:has(td.main)')].map((list) => list.scrollWidth - list.clientWidth)",
    );
    return Math.max(0, wide - (page.viewportSize()?.width ?? 0), ...ofLists);
  };
  let calls = 0;
  return {
    page,
    context,
    faults,
    tolerate: (fault) => void tolerated.push(fault),
    violations: async (as) => {
      if (as === "it is") return [...(await secrets.left()), ...(await violationsOf(page))];
      const isWhole = process.env.HERMOD_TEST_LONG === "all";
      const shown = isWhole ? looks : looks.slice(calls % looks.length).slice(0, 1);
      calls++;
      const size = page.viewportSize() ?? { width, height };
      const found = await secrets.left();
      for (const check of shown) {
        await showAs(page, check.colorScheme, check.isNarrow ? NARROW : size);
        const name = `${check.colorScheme}, ${page.viewportSize()?.width} px`;
        const excess = await overflow();
        if (excess > 0) found.push(`${name}: ${excess} px too wide`);
        await as?.();
        found.push(...(await violationsOf(page)).map((fault) => `${name}: ${fault}`));
        if (as) await page.keyboard.press("Escape");
      }
      await showAs(page, scheme, size);
      return found;
    },
    overflow,
    secretsLeft: secrets.left,
    leave: async () => {
      const found = faults.filter((fault) => !tolerated.some((one) => one.test(fault)));
      found.push(...(await secrets.left().catch(() => [])));
      await context.close();
      if (found.length > 0) throw new Error(`The page has caused faults:\n${found.join("\n")}`);
    },
  };
}

async function showAs(
  page: Page,
  colorScheme: "light" | "dark",
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize(size);
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  // Colors in transition have arbitrary contrast. A loader rotates forever.
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished))",
  );
}

async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await readFile(axe, "utf8"));
  return page.evaluate(runAxe);
}

/**
 * Records console errors and warnings, uncaught errors, violations of the page's policy, and requests to other
 * origins.
 */
function watchPage(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      faults.push(`console: ${message.text()} ${message.location().url}`.trim());
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !address.startsWith("data:")) faults.push(`foreign: ${address}`);
  });
  return faults;
}

/** Runs in the page. */
async function runAxe(): Promise<string[]> {
  const { axe: loaded } = globalThis as unknown as {
    readonly axe: {
      run(options: object): Promise<{
        readonly violations: readonly {
          readonly id: string;
          readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
        }[];
      }>;
    };
  };
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await loaded.run({
    runOnly: tags,
    // Passes are not needed, and axe would reload the page's own styles.
    resultTypes: ["violations"],
    preload: false,
    // No frame of the pages runs axe. Its message to a frame without an origin is an error of the console.
    iframes: false,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.split("\n")[1]}`),
  );
}
