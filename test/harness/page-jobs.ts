import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { Visit } from "./dashboard-world.ts";
import { createKeyboardUser, createMouseUser, type PageUser } from "./page-users.ts";

const users = { mouse: createMouseUser, keyboard: createKeyboardUser } as const;

export type Way = keyof typeof users;
export const ways = Object.keys(users) as Way[];

/** Maximum number of steps by mouse and by keyboard, by the name of the job. */
export type MostSteps = Readonly<Record<string, readonly [mouse: number, keyboard: number]>>;

interface JobParts {
  readonly most: MostSteps;
  /** Called when a job begins: its result exists only then. */
  readonly visit: () => Visit;
  /** Address of the dashboard, called likewise. */
  readonly home: () => string;
}

type Run = (user: PageUser, way: Way, visit: Visit) => Promise<void>;

export interface JobOptions {
  /** Opens a browser for the job, which leaves it at its end; missing: the common one. */
  readonly open?: () => Promise<Visit>;
  /** Time limit of one way; missing: that of every test. */
  readonly timeoutMs?: number;
}

/** Jobs of a person at the dashboard, and their counted steps. */
export interface PageJobs {
  /** Declares the tests of a job: by mouse, then by keyboard. More steps than the maximum fail it. */
  job(name: string, run: Run, options?: JobOptions): void;
  /** Prints the steps of the jobs that were done. */
  report(): void;
}

export function createPageJobs({ most, visit, home }: JobParts): PageJobs {
  const counted = new Map<string, Record<Way, number>>();
  return {
    job: (name, run, { open, timeoutMs } = {}) => {
      it.each(ways)(
        `${name}, by %s`,
        async (way) => {
          const own = await open?.();
          const visited = own ?? visit();
          const user = users[way]({ page: visited.page, home: home() });
          await run(user, way, visited);
          const { steps } = user;
          counted.set(name, { ...(counted.get(name) ?? { mouse: 0, keyboard: 0 }), [way]: steps });
          expect(steps).toBeLessThanOrEqual(most[name]?.[way === "mouse" ? 0 : 1] ?? 0);
          await own?.leave();
        },
        timeoutMs,
      );
    },
    report: () => {
      const lines = [...counted].map(
        ([job, { mouse, keyboard }]) => `${job}: ${mouse} clicks, ${keyboard} keys`,
      );
      process.stdout.write(`${lines.join("\n")}\n`);
    },
  };
}

/** The first button of the page with this name. */
export const button = ({ page }: PageUser, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true }).first();

export const dialogOf = ({ page }: PageUser): Locator => page.getByRole("dialog");

export const inDialog = (user: PageUser, name: string | RegExp): Locator =>
  dialogOf(user).getByRole("button", { name, exact: true });

/** A tab of a page about one resource. */
export const tabOf = ({ page }: PageUser, name: string): Locator =>
  page.getByRole("navigation", { name: "Details" }).getByRole("link", { name, exact: true });
