import { createRoute } from "@tanstack/react-router";
import { factorsQuery } from "../api/factors.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const userRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/user",
  loader: ({ context }) => void context.queryClient.prefetchQuery(factorsQuery),
  component: lazyPage(() => import("../pages/user/user.tsx"), "UserPage"),
});
