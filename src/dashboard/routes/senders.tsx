import { createRoute } from "@tanstack/react-router";
import { type SenderFilter, sendersBy } from "../api/senders.ts";
import { readChoices, readTexts } from "../parts/read-texts.ts";
import { t } from "../texts/texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const sendersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/senders",
  validateSearch: (search: Record<string, unknown>) =>
    ({
      ...readTexts(search, ["search"]),
      ...readChoices(search, { state: t.senders.states }),
    }) as SenderFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(sendersBy(deps)),
  component: lazyPage(() => import("../pages/senders/list.tsx"), "SenderListPage"),
});
