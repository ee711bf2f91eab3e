import { createRoute } from "@tanstack/react-router";
import { builtInTemplatesQuery, type TemplateFilter, templateQuery, templatesBy } from "../api/templates.ts";
import { readTemplateTab, type TemplateTab } from "../pages/templates/tabs.ts";
import { readChoices, readTexts } from "../parts/read-texts.ts";
import { t } from "../texts/texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const templatesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/templates",
  validateSearch: (search: Record<string, unknown>) =>
    ({
      ...readTexts(search, ["search"]),
      ...readChoices(search, { state: t.templates.states }),
    }) as TemplateFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(templatesBy(deps)),
  component: lazyPage(() => import("../pages/templates/list.tsx"), "TemplateListPage"),
});

interface NewTemplateSearch {
  /** Name of the chosen built-in template. */
  readonly from?: string;
}

export const newTemplateRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/templates/-/new",
  validateSearch: (search: Record<string, unknown>): NewTemplateSearch => readTexts(search, ["from"]),
  loader: ({ context }) => void context.queryClient.prefetchQuery(builtInTemplatesQuery),
  component: lazyPage(() => import("../pages/templates/new.tsx"), "NewTemplatePage"),
});

interface TemplateSearch {
  /** Missing: the editor. */
  readonly tab?: TemplateTab | undefined;
  /** Compared texts: version number, `draft` or `published`. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Version with the open preview. */
  readonly version?: string | undefined;
}

export const templateRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/templates/$name",
  validateSearch: ({ tab, ...search }: Record<string, unknown>): TemplateSearch => {
    const known = readTemplateTab(tab);
    return {
      ...readTexts(search, ["before", "after", "version"]),
      ...(known && known !== "edit" && { tab: known }),
    };
  },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(templateQuery(params.name)),
  component: lazyPage(() => import("../pages/templates/detail.tsx"), "TemplatePage"),
});
