import { createRoute } from "@tanstack/react-router";
import { workspacesQuery } from "../api/workspaces.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const workspacesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/workspaces",
  loader: ({ context }) => void context.queryClient.prefetchQuery(workspacesQuery),
  component: lazyPage(() => import("../pages/workspaces/list.tsx"), "WorkspaceListPage"),
});
