import { Link } from "@tanstack/react-router";
import type { Delivery } from "../../api/deliveries.ts";
import type { Column } from "../../parts/table.tsx";
import { spanText, Time, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { attemptText, DeliveryState, endText } from "./delivery-state.tsx";

const state: Column<Delivery> = {
  heading: t.deliveries.state,
  cell: (delivery) => <DeliveryState delivery={delivery} />,
};
const event: Column<Delivery> = {
  heading: t.deliveries.type,
  cell: ({ id, type }) => (
    <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: id }} className="main">
      {type}
    </Link>
  ),
  className: "main",
};
const last: Column<Delivery> = { heading: t.deliveries.last, cell: lastText, className: "muted wrap" };
const duration: Column<Delivery> = {
  heading: t.deliveries.duration,
  cell: ({ last_attempt: attempt }) => attempt && spanText(attempt.duration_ms),
  className: "right num muted wide-only",
};
const attempts: Column<Delivery> = {
  heading: t.deliveries.attempts,
  cell: ({ attempts: count }) => count,
  className: "right num muted wide-only",
};
const at: Column<Delivery> = {
  heading: t.deliveries.at,
  cell: ({ at: moment }) => <Time at={moment} withDay />,
  className: "right muted",
};

/** Columns of the deliveries of one endpoint. */
export const endpointColumns: readonly Column<Delivery>[] = [state, event, last, duration, attempts, at];

/** Columns of failed deliveries. */
export const failureColumns: readonly Column<Delivery>[] = [event, last, attempts, at];

/** @param urls of the endpoints by id; an endpoint without one was deleted */
export function allColumns(urls: ReadonlyMap<string, string>): readonly Column<Delivery>[] {
  const endpoint: Column<Delivery> = {
    heading: t.deliveries.endpoint,
    cell: ({ endpoint_id: id }) => (
      <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className="link">
        {urls.get(id) ?? id}
      </Link>
    ),
    className: "wrap wide-only",
  };
  return [state, event, endpoint, last, duration, attempts, at];
}

/** The result of the last attempt, and the time of the next one. */
function lastText(delivery: Delivery): string {
  const { last_attempt: attempt, due_at } = delivery;
  const result = attempt ? attemptText(attempt) : endText(delivery) || t.deliveries.noAttempt;
  if (due_at === undefined) return result;
  return `${result}, ${t.deliveries.next(timeText(due_at, new Date(), true))}`;
}
