import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { DeliveryFilter } from "../../api/deliveries.ts";
import { rowsOf } from "../../api/pages.ts";
import { webhooksQuery } from "../../api/webhooks.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { t } from "../../texts/texts.ts";
import { LiveChip } from "../messages/list-status.tsx";
import { allColumns } from "./delivery-columns.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryList } from "./delivery-list.tsx";

const route = getRouteApi("/inside/webhooks/deliveries");

/** Deliveries to all endpoints. The address has the filters. */
export function DeliveryListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  // It completes the rows and the menu with URLs: without it, they show ids.
  const { data } = useInfiniteQuery(webhooksQuery);
  const urls = new Map(rowsOf(data).map(({ id, url }) => [id, url]));
  const { endpoint_id: asked } = filter;
  const endpoints = { ...(asked && { [asked]: asked }), ...Object.fromEntries(urls) };
  const change = (changes: DeliveryFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  return (
    <>
      <PageHead
        title={t.deliveries.title}
        detail={t.deliveries.detail}
        above={
          <Link to="/webhooks" className="link">
            {t.webhooks.title}
          </Link>
        }
      >
        <LiveChip />
      </PageHead>
      <DeliveryFilters
        filter={filter}
        endpoints={endpoints}
        onChange={change}
        onClear={() => navigate({ search: {} })}
      />
      <DeliveryList
        filter={filter}
        columns={allColumns(urls)}
        isFiltered={Object.values(filter).some(Boolean)}
      />
    </>
  );
}
