import { createRoute } from "@tanstack/react-router";
import { suppressionsQuery } from "../api/suppressions.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const suppressionsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/suppressions",
  validateSearch: (search: Record<string, unknown>) =>
    readTexts(search, ["address", "domain", "reason", "days"]),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(suppressionsQuery(deps)),
  component: lazyPage(() => import("../pages/suppressions/list.tsx"), "SuppressionListPage"),
});
