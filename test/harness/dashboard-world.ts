import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type Hermod, startHermod } from "./start-hermod.ts";
import { freePort } from "./tcp-proxy.ts";

/** A started Hermod and a Chromium whose pages show its dashboard. */
export interface DashboardWorld {
  readonly hermod: Hermod;
  readonly url: string;
  /** The password of the first user, whose initial one is replaced. */
  readonly password: string;
  /** A browser that nobody has used. */
  visit(look?: Look): Promise<Visit>;
  /** The same, signed in as the first user, at a path of the dashboard. */
  signIn(path?: string, look?: Look): Promise<Visit>;
  /** Sends a message over the HTTP API. @returns its id */
  send(message?: Readonly<Record<string, unknown>>): Promise<string>;
  dispose(): Promise<void>;
}

/** How a page is shown. Sizes in CSS pixels. */
export interface Look {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Whatever no page may cause, as far as it has happened: see `watchPage`. */
  readonly faults: readonly string[];
  /** Faults of accessibility on the page as it is (WCAG 2.2 AA), by axe; empty: there are none. */
  violations(): Promise<string[]>;
  /** How much wider the page is than its window, or a list than its card, in CSS pixels; 0: all fits. */
  overflow(): Promise<number>;
  leave(): Promise<void>;
}

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
  const visit = (look?: Look) => openPage(browser, url, look);
  return {
    hermod,
    url,
    password: PASSWORD,
    visit,
    signIn: async (path = "/", look) => {
      const visited = await visit(look);
      await visited.page.goto(`${url}/dashboard${path}`);
      await enter(visited.page, email);
      return visited;
    },
    send: async (message = {}) => {
      const answer = await fetch(`${url}/v1/email/send`, {
        method: "POST",
        headers: { "x-api-key": hermod.firstRun.api_key, "content-type": "application/json" },
        body: JSON.stringify({
          from: hermod.firstRun.sender,
          to: "ada@example.org",
          subject: "Your receipt",
          html: "<p>Thank you.</p>",
          ...message,
        }),
      });
      const body = (await answer.json()) as { readonly message_id?: string };
      if (body.message_id === undefined) throw new Error(`The message was refused: ${JSON.stringify(body)}`);
      return body.message_id;
    },
    dispose: async () => {
      await browser.close();
      await hermod.dispose();
    },
  };
}

/** Fills in the sign-in page as the first user, and waits for the page behind it. */
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
  { scheme = "light", width = 1280, height = 860 }: Look = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const faults = watchPage(page, url);
  return {
    page,
    context,
    faults,
    violations: async () => {
      await page.evaluate(await readFile(axe, "utf8"));
      return page.evaluate(runAxe);
    },
    overflow: async () => {
      // Other fonts are as wide as they are.
      await page.evaluate("document.fonts.ready");
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      // Tables of numbers may scroll by themselves; a list hides no cell.
      const ofLists = await page.evaluate<number[]>(
        "[...document.querySelectorAll('.scroll:has(td.main)')].map((list) => list.scrollWidth - list.clientWidth)",
      );
      return Math.max(0, width - (page.viewportSize()?.width ?? 0), ...ofLists);
    },
    leave: () => context.close(),
  };
}

/** Notes console errors and warnings, errors that no script catches, violations of the page's policy, and requests to other origins. */
function watchPage(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !address.startsWith("data:")) faults.push(`foreign: ${address}`);
  });
  return faults;
}

/** In the page. */
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
  const { violations } = await loaded.run({ runOnly: tags });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.split("\n")[1]}`),
  );
}
