import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import {
  type DeliveryFilter,
  type DeliveryPage,
  deliveriesQuery,
  loadDeliveries,
} from "../../api/deliveries.ts";
import { useLiveEvents } from "../../api/live.ts";
import type { LiveResources } from "../../api/live-resources.ts";
import { unknownIn } from "../../api/page-rows.ts";
import { cursorsOf } from "../../api/pages.ts";
import type { RowWindow } from "../../parts/use-row-window.ts";
import { useThrottled } from "../../parts/use-throttled.ts";
import { goneFrom, withFreshRows, withNewest } from "./live-deliveries.ts";

/** Minimum time between two updates of the list. */
const REFRESH_MS = 2_000;
/** The same as a multiple of the duration of a request: some filters read many deliveries for one page. */
const REFRESH_FACTOR = 20;

/** Changes that wait above the list, because they would move rows. */
interface WaitingDeliveries {
  readonly page: DeliveryPage;
  /** Number of new deliveries. 0: rows no longer match the filter. */
  readonly count: number;
  /** Whether rows behind the first page no longer match the filter. */
  readonly isOutdated: boolean;
}

/**
 * Updates a list of deliveries when the event stream reports an endpoint. Results of attempts change in place. New rows, and the
 * removal of rows that no longer match, wait until the user asks for them, unless no row would move under the pointer.
 * @param list body of the table
 */
export function useLiveDeliveries(filter: DeliveryFilter, list: RefObject<HTMLTableSectionElement | null>) {
  const queryClient = useQueryClient();
  const { queryKey } = deliveriesQuery(filter);
  const [waiting, setWaiting] = useState<WaitingDeliveries>();
  /** Duration of the last request. */
  const tookMs = useRef(0);
  const refreshMs = Math.max(REFRESH_MS, REFRESH_FACTOR * tookMs.current);
  const loaded = () => queryClient.getQueryData(queryKey);

  function change(update: (pages: readonly DeliveryPage[]) => readonly DeliveryPage[]): void {
    const data = loaded();
    const pages = data && update(data.pages);
    if (!pages || pages === data.pages) return;
    const pageParams = data.pageParams.slice(0, pages.length).map(String);
    queryClient.setQueryData(queryKey, { pages: [...pages], pageParams });
  }

  function take({ page, isOutdated }: WaitingDeliveries): void {
    change((pages) => (isOutdated ? [page] : withNewest(pages, page)));
    setWaiting(undefined);
  }

  const refresh = useThrottled(async () => {
    if (!loaded()) return;
    const begunMs = performance.now();
    const page = await loadDeliveries(filter, "");
    tookMs.current = performance.now() - begunMs;
    const shown = rowsInSight(list.current);
    change((pages) => withFreshRows(pages, page.data));
    let isOutdated = false;
    const data = loaded();
    for (const cursor of data ? cursorsOf(data, shown) : []) {
      // The first page was just read.
      if (cursor === "") continue;
      const fresh = await loadDeliveries(filter, cursor);
      const former = data?.pages[data.pageParams.indexOf(cursor)];
      if (former && goneFrom(former, fresh).length > 0) isOutdated = true;
      change((pages) => withFreshRows(pages, fresh.data));
    }
    const pages = loaded()?.pages ?? [];
    const [first] = pages;
    const count = unknownIn(pages, page.data).length;
    const isSame = count === 0 && !isOutdated && (!first || goneFrom(first, page).length === 0);
    const next = { page, count, isOutdated };
    if (isSame) setWaiting(undefined);
    else if (mayMove(list.current) || pages.every(({ data: rows }) => rows.length === 0)) take(next);
    else setWaiting(next);
  }, refreshMs);

  useLiveEvents((name, data) => {
    if (name === "gap") refresh();
    if (name !== "resources") return;
    const { resources } = data as LiveResources;
    const { endpoint_id: endpointId = "" } = filter;
    const isShown = (id: string) => endpointId === "" || id === endpointId;
    if (resources.some(({ kind, id }) => kind === "webhook" && isShown(id))) refresh();
  });

  return { waiting, show: () => waiting && take(waiting) };
}

/** Whether rows can move: the user is at the top and points at no row. */
function mayMove(list: HTMLTableSectionElement | null): boolean {
  return window.scrollY === 0 && !list?.matches(":hover") && !list?.contains(document.activeElement);
}

function rowsInSight(list: HTMLTableSectionElement | null): RowWindow {
  const rows = Array.from(list?.rows ?? [], (row) => row.getBoundingClientRect());
  const first = rows.findIndex(({ bottom }) => bottom > 0);
  const last = rows.findIndex(({ top }) => top >= window.innerHeight);
  return { first: first < 0 ? rows.length : first, last: last < 0 ? rows.length : last };
}
