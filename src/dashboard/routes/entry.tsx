import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "./lazy-page.ts";
import { rootRoute } from "./root.tsx";

/** Page to open after sign-in: a path of the dashboard, never another site. */
interface ReturnTo {
  readonly return_to?: string;
}

function readReturnTo({ return_to }: Record<string, unknown>): ReturnTo {
  const isPath = typeof return_to === "string" && /^\/(?![/\\])/.test(return_to);
  return isPath ? { return_to } : {};
}

/** The error code of a provider's response. */
interface Fault {
  readonly fault?: string;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): ReturnTo & Fault => {
    const { fault } = search;
    const isCode = typeof fault === "string" && /^[a-z_.]{1,60}$/.test(fault);
    return { ...readReturnTo(search), ...(isCode && { fault }) };
  },
  component: lazyPage(() => import("../pages/session/sign-in.tsx"), "SignInPage"),
});

export const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/second-factor",
  validateSearch: readReturnTo,
  component: lazyPage(() => import("../pages/session/second-factor.tsx"), "SecondFactorPage"),
});

export const firstPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/first-password",
  validateSearch: readReturnTo,
  component: lazyPage(() => import("../pages/session/first-password.tsx"), "FirstPasswordPage"),
});

// Links in mails open these pages. Their secret is after `#`.

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset-password",
  component: lazyPage(() => import("../pages/session/reset-password.tsx"), "ResetPasswordPage"),
});

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  component: lazyPage(() => import("../pages/session/sign-up.tsx"), "SignUpPage"),
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitation",
  component: lazyPage(() => import("../pages/session/invitation.tsx"), "InvitationPage"),
});

export const changeEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/change-email",
  component: lazyPage(() => import("../pages/session/change-email.tsx"), "ChangeEmailPage"),
});
