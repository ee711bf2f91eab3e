import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { messageWebhooksQuery, type WebhookDelivery } from "../../api/message-contents.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { DeliveryState, endText } from "../webhooks/delivery-state.tsx";

const columns: readonly Column<WebhookDelivery>[] = [
  {
    heading: t.messages.state,
    cell: (delivery) => <DeliveryState delivery={delivery} />,
  },
  {
    heading: t.message.webhook,
    cell: ({ id, type }) => (
      <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: id }} className="main">
        {type}
      </Link>
    ),
    className: "main",
  },
  {
    heading: t.message.webhookEndpoint,
    cell: ({ endpoint_id }) => (
      <Link to="/webhooks/$webhookId" params={{ webhookId: endpoint_id }} className="link">
        {endpoint_id}
      </Link>
    ),
    className: "mono wrap",
  },
  { heading: t.message.webhookAttempts, cell: ({ attempts }) => attempts, className: "right num" },
  { heading: t.messages.detail, cell: detailOf, className: "muted" },
  { heading: t.common.time, cell: ({ at }) => <Time at={at} />, className: "right muted" },
];

/** Webhook deliveries of a message. */
export function Webhooks({ id }: { readonly id: string }) {
  const query = useQuery(messageWebhooksQuery(id));
  return (
    <StateView
      query={query}
      empty={{
        when: ({ data }) => data.length === 0,
        view: (
          <div className="notice">
            <strong>{t.message.noWebhooks}</strong>
            <p className="muted">{t.message.noWebhooksDetail}</p>
          </div>
        ),
      }}
    >
      {({ data }) => (
        <Table label={t.message.webhooks} columns={columns} rows={data} rowKey={({ id: one }) => one} />
      )}
    </StateView>
  );
}

function detailOf(delivery: WebhookDelivery): string {
  const { due_at } = delivery;
  return due_at ? t.messages.again(timeText(due_at, new Date(), true)) : endText(delivery);
}
