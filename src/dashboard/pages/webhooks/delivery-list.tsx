import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { type Delivery, type DeliveryFilter, deliveriesQuery } from "../../api/deliveries.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { useLiveDeliveries } from "./use-live-deliveries.ts";

/** A page with fewer rows is continued by itself, a few times. */
const MIN_ROWS = 10;

interface DeliveryListProps {
  readonly filter: DeliveryFilter;
  readonly columns: readonly Column<Delivery>[];
  /** Whether the user has narrowed the list. */
  readonly isFiltered: boolean;
}

/** Deliveries that match a filter, newest event first, kept up to date by the event stream. */
export function DeliveryList(props: DeliveryListProps) {
  return <LiveDeliveryList key={JSON.stringify(props.filter)} {...props} />;
}

function LiveDeliveryList({ filter, columns, isFiltered }: DeliveryListProps) {
  const query = useInfiniteQuery(deliveriesQuery(filter));
  const list = useRef<HTMLTableSectionElement>(null);
  const { waiting, show } = useLiveDeliveries(filter, list);
  return (
    <ListCard query={query} minRows={MIN_ROWS} empty={emptyTexts(isFiltered, query.hasNextPage)}>
      {(rows) => (
        <>
          {waiting && (
            <div className="newer">
              <Button
                size="xs"
                onClick={() => {
                  show();
                  window.scrollTo({ top: 0 });
                }}
              >
                {waiting.count > 0 ? t.deliveries.newer(waiting.count) : t.deliveries.changed}
              </Button>
            </div>
          )}
          <Table
            label={t.deliveries.title}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            list={list}
          />
        </>
      )}
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
