import { createRoute } from "@tanstack/react-router";
import { filterNames, messageQuery, messagesQuery } from "../api/messages.ts";
import { type MessageTab, readTab } from "../pages/messages/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const messagesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/messages",
  validateSearch: (search: Record<string, unknown>) => readTexts(search, filterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(messagesQuery(deps)),
  component: lazyPage(() => import("../pages/messages/list.tsx"), "MessageListPage"),
});

export const messageRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/messages/$messageId",
  validateSearch: ({ tab }: Record<string, unknown>): { readonly tab?: MessageTab } => {
    const known = readTab(tab);
    return known && known !== "timeline" ? { tab: known } : {};
  },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(messageQuery(params.messageId)),
  component: lazyPage(() => import("../pages/messages/detail.tsx"), "MessagePage"),
});
