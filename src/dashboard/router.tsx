import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { NotFound, PageFault } from "./pages/shell/page-faults.tsx";
import { Pending } from "./parts/state-view.tsx";
import { routeTree } from "./routes/tree.tsx";

/** The router of the dashboard, below the `base` address of the page. */
export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: new URL(document.baseURI).pathname.replace(/\/$/, ""),
    context: { queryClient },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // Removes parameters that a page does not name, or with unknown values: its requests would be refused.
    search: { strict: true },
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: PageFault,
    // The session request of the first page is slow.
    defaultPendingComponent: Pending,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: ReturnType<typeof createDashboardRouter>;
  }
}
