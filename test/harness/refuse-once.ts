import type { Route } from "playwright-core";
import { problem } from "../../contracts/common/problem.ts";

/** Answers the first request like Hermod ten minutes after a factor was shown, and lets the others pass. */
export function refuseOnce(): (route: Route) => Promise<void> {
  let hasRefused = false;
  return async (route) => {
    if (hasRefused) return route.continue();
    hasRefused = true;
    const body = problem.parse({
      type: "/docs/errors#auth.reauthentication_required",
      title: "A factor is needed again",
      status: 403,
      detail: "Show a factor again.",
      instance: new URL(route.request().url()).pathname,
      code: "auth.reauthentication_required",
      sx_trace_id: "sx_01k9z4c3r8h2v6y0n5t7w1x3q9",
      errors: [],
    });
    return route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify(body),
    });
  };
}
