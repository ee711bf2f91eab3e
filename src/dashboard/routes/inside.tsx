import { createRoute, redirect } from "@tanstack/react-router";
import { Problem } from "../api/problem.ts";
import { sessionQuery } from "../api/session.ts";
import { NotFound } from "../pages/shell/page-faults.tsx";
import { lazyPage } from "./lazy-page.ts";
import { rootRoute } from "./root.tsx";

/** All pages that need a complete session. Other sessions are redirected to the step that they lack. */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    const search = location.href === "/" ? {} : { return_to: location.href };
    // The server knows that the browser has no session: a request would be refused.
    if (hasNoSession() && !context.queryClient.getQueryData(sessionQuery.queryKey))
      throw redirect({ to: "/sign-in", search });
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 401) throw redirect({ to: "/sign-in", search });
      throw error;
    });
    if (session.second_factor_required) throw redirect({ to: "/second-factor", search });
    if (session.must_change_password) throw redirect({ to: "/first-password", search });
    return { session };
  },
  component: lazyPage(() => import("../pages/shell/shell.tsx"), "Shell"),
});

function hasNoSession(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content === "no";
}

/** An unknown address keeps the navigation. */
export const unknownRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "$",
  component: NotFound,
});
