import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Delivery } from "../../api/deliveries.ts";
import { rowsOf } from "../../api/pages.ts";
import { webhooksQuery } from "../../api/webhooks.ts";
import { CopyAction } from "../../parts/copy-action.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { DeliveryState } from "./delivery-state.tsx";

/** Event, endpoint and message of a delivery. */
export function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { id, endpoint_id, event_id, message_id, at, attempts } = delivery;
  const may = useMay();
  // It completes the endpoint with its URL.
  const { data } = useInfiniteQuery(webhooksQuery);
  const url = rowsOf(data).find((one) => one.id === endpoint_id)?.url;
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.deliveries.facts}</h2>
      </header>
      <div className="body">
        <dl className="facts">
          <dt>{t.deliveries.state}</dt>
          <dd>
            <DeliveryState delivery={delivery} />
          </dd>
          <dt>{t.deliveries.endpoint}</dt>
          <dd>
            <Link to="/webhooks/$webhookId" params={{ webhookId: endpoint_id }} className="link">
              {url ?? endpoint_id}
            </Link>
          </dd>
          {message_id && (
            <>
              <dt>{t.deliveries.message}</dt>
              <dd className="mono">
                {may("messages.read") ? (
                  <Link to="/messages/$messageId" params={{ messageId: message_id }} className="link">
                    {message_id}
                  </Link>
                ) : (
                  message_id
                )}
              </dd>
            </>
          )}
          <dt>{t.deliveries.at}</dt>
          <dd>
            <Time at={at} withDay />
          </dd>
          <dt>{t.deliveries.attempts}</dt>
          <dd className="num">{attempts}</dd>
          <dt>{t.deliveries.eventId}</dt>
          <dd className="mono">
            <Link to="/webhooks/deliveries" search={{ event_id }} className="link">
              {event_id}
            </Link>
          </dd>
          <dt>{t.deliveries.id}</dt>
          <dd className="mono">{id}</dd>
        </dl>
      </div>
    </section>
  );
}

/** The body of all requests of a delivery, byte for byte. */
export function SentBody({ body }: { readonly body: string }) {
  return (
    <section className="card" aria-labelledby="body">
      <header>
        <div>
          <h2 id="body">{t.deliveries.body}</h2>
          <p className="muted">{t.deliveries.bodyDetail}</p>
        </div>
        <CopyAction value={body} label={t.deliveries.body} size="xs" />
      </header>
      <div className="body">
        <section className="smtp wrapped" aria-label={t.deliveries.body} tabIndex={0}>
          {body}
        </section>
      </div>
    </section>
  );
}
