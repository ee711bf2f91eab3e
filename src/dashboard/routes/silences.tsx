import { createRoute } from "@tanstack/react-router";
import { silenceQuery, silenceStates, silencesQuery } from "../api/silences.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

interface SilenceListSearch {
  /** States, separated by commas; missing: all. */
  readonly state?: string;
}

export const silencesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/silences",
  validateSearch: (search: Record<string, unknown>): SilenceListSearch => {
    const given = readTexts(search, ["state"]).state?.split(",") ?? [];
    const known = silenceStates.filter((state) => given.includes(state));
    return known.length > 0 ? { state: known.join(",") } : {};
  },
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(silencesQuery),
  component: lazyPage(() => import("../pages/silences/list.tsx"), "SilenceListPage"),
});

interface NewSilenceSearch {
  /** Id of the silence to copy. */
  readonly from?: string;
  /** Id of the incident to silence. */
  readonly incident?: string;
}

export const newSilenceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/silences/-/new",
  validateSearch: (search: Record<string, unknown>): NewSilenceSearch =>
    readTexts(search, ["from", "incident"]),
  component: lazyPage(() => import("../pages/silences/create.tsx"), "NewSilencePage"),
});

export const silenceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/silences/$silenceId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(silenceQuery(params.silenceId)),
  component: lazyPage(() => import("../pages/silences/detail.tsx"), "SilencePage"),
});
