import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type TemplateFilter, templatesBy } from "../../api/templates.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Gallery } from "./gallery.tsx";
import { TemplateTable } from "./template-table.tsx";

const route = getRouteApi("/inside/templates");

/** Templates of the account. An account without one gets the built-in templates to start from. */
export function TemplateListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(templatesBy(filter));
  const may = useMay();
  const change = (changes: { search?: string | undefined; state?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }) as TemplateFilter, replace: true });

  return (
    <>
      <PageHead title={t.templates.title} detail={t.templates.detail}>
        {may("templates.write") && (
          <Button renderRoot={(props) => <Link to="/templates/-/new" {...props} />}>
            {t.templates.create}
          </Button>
        )}
      </PageHead>
      <search className="row">
        <SearchField
          label={t.templates.search}
          hint={t.templates.searchHint}
          value={filter.search}
          onSearch={(search) => change({ search })}
        />
        <PickField
          label={t.templates.state}
          options={t.templates.states}
          value={filter.state}
          onPick={(state) => change({ state })}
        />
      </search>
      <ListCard
        query={query}
        empty={
          Object.keys(filter).length > 0
            ? { title: t.templates.emptyFiltered }
            : {
                title: t.templates.empty,
                ...(may("templates.write") && { detail: t.templates.emptyDetail, action: <Gallery /> }),
              }
        }
      >
        {(templates) => <TemplateTable templates={templates} />}
      </ListCard>
    </>
  );
}
