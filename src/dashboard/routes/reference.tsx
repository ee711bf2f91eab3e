import { createRoute } from "@tanstack/react-router";
import { installationQuery } from "../api/installation.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const referenceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/reference",
  loader: ({ context }) => void context.queryClient.prefetchQuery(installationQuery),
  component: lazyPage(() => import("../pages/reference/reference.tsx"), "ReferencePage"),
});
