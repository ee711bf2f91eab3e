import { useInfiniteQuery } from "@tanstack/react-query";
import { type Delivery, type DeliveryFilter, deliveriesQuery } from "../../api/deliveries.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";

/** A page with fewer rows is continued by itself, a few times. */
const MIN_ROWS = 10;

interface DeliveryListProps {
  readonly filter: DeliveryFilter;
  readonly columns: readonly Column<Delivery>[];
  /** Whether the user has narrowed the list. */
  readonly isFiltered: boolean;
}

/** Deliveries that match a filter, newest event first. */
export function DeliveryList({ filter, columns, isFiltered }: DeliveryListProps) {
  const query = useInfiniteQuery(deliveriesQuery(filter));
  return (
    <ListCard query={query} minRows={MIN_ROWS} empty={emptyTexts(isFiltered, query.hasNextPage)}>
      {(rows) => <Table label={t.deliveries.title} columns={columns} rows={rows} rowKey={({ id }) => id} />}
    </ListCard>
  );
}

/** A list that has not been searched to its end does not claim that there is nothing. */
function emptyTexts(
  isFiltered: boolean,
  isMore: boolean,
): { readonly title: string; readonly detail?: string } {
  if (isMore) return { title: t.deliveries.searchedSoFar, detail: t.deliveries.searchedSoFarDetail };
  return isFiltered
    ? { title: t.deliveries.emptyFiltered }
    : { title: t.deliveries.empty, detail: t.deliveries.emptyDetail };
}
