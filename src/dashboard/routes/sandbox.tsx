import { createRoute } from "@tanstack/react-router";
import { type SandboxFilter, sandboxQuery } from "../api/sandbox.ts";
import { type SandboxView, sandboxViews } from "../pages/sandbox/views.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

interface SandboxSearch extends SandboxFilter {
  readonly message?: string | undefined;
  readonly view?: SandboxView | undefined;
}

function readSearch({ message, view, ...search }: Record<string, unknown>): SandboxSearch {
  const known = sandboxViews.find((one) => one === view);
  return {
    ...readTexts(search, ["recipient", "subject", "hours"]),
    ...(typeof message === "string" && message !== "" && { message }),
    ...(known && known !== "preview" && { view: known }),
  };
}

export const sandboxRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/sandbox",
  validateSearch: readSearch,
  loaderDeps: ({ search: { message: _, view: __, ...filter } }) => filter,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(sandboxQuery(deps)),
  component: lazyPage(() => import("../pages/sandbox/inbox.tsx"), "SandboxPage"),
});
