import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { sandboxQuery } from "../api/sandbox.ts";
import { type SandboxView, sandboxViews } from "../pages/sandbox/views.ts";
import { insideRoute } from "./inside.tsx";

interface SandboxSearch {
  readonly message?: string;
  readonly view?: SandboxView;
}

function readSearch({ message, view }: Record<string, unknown>): SandboxSearch {
  const known = sandboxViews.find((one) => one === view);
  return {
    ...(typeof message === "string" && message !== "" && { message }),
    ...(known && known !== "preview" && { view: known }),
  };
}

export const sandboxRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/sandbox",
  validateSearch: readSearch,
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(sandboxQuery),
  component: lazyRouteComponent(() => import("../pages/sandbox/inbox.tsx"), "SandboxPage"),
});
