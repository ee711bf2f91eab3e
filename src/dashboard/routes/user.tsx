import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { factorsQuery } from "../api/factors.ts";
import { insideRoute } from "./inside.tsx";

export const userRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/user",
  loader: ({ context }) => void context.queryClient.prefetchQuery(factorsQuery),
  component: lazyRouteComponent(() => import("../pages/user/user.tsx"), "UserPage"),
});
