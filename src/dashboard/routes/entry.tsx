import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root.tsx";

/** Where the user goes once signed in: a path of the dashboard, never another site. */
interface ReturnTo {
  readonly return_to?: string;
}

function readReturnTo({ return_to }: Record<string, unknown>): ReturnTo {
  const isPath = typeof return_to === "string" && /^\/(?![/\\])/.test(return_to);
  return isPath ? { return_to } : {};
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: readReturnTo,
  component: lazyRouteComponent(() => import("../pages/session/sign-in.tsx"), "SignInPage"),
});

export const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/second-factor",
  validateSearch: readReturnTo,
  component: lazyRouteComponent(() => import("../pages/session/second-factor.tsx"), "SecondFactorPage"),
});

export const firstPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/first-password",
  validateSearch: readReturnTo,
  component: lazyRouteComponent(() => import("../pages/session/first-password.tsx"), "FirstPasswordPage"),
});
