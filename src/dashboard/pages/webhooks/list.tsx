import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type Webhook, webhookStatisticsQuery, webhooksQuery } from "../../api/webhooks.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { rateText } from "../overview/rates.ts";
import { typesText, WebhookState } from "./webhook-state.tsx";

const columns: readonly Column<Webhook>[] = [
  { heading: t.webhooks.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    heading: t.webhooks.url,
    cell: ({ id, url, description }) => (
      <>
        <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className="main">
          {url}
        </Link>
        {description && <div className="muted">{description}</div>}
      </>
    ),
    className: "main",
  },
  { heading: t.webhooks.types, cell: typesText, className: "muted wrap wide-only" },
  { heading: t.webhooks.success, cell: ({ id }) => <SuccessCell webhookId={id} />, className: "right num" },
];

/** Endpoints that receive events of the account. */
export function WebhookListPage() {
  const query = useInfiniteQuery(webhooksQuery);
  const may = useMay();
  const navigate = useNavigate();
  const add = may("webhooks.write") && (
    <Button onClick={() => void navigate({ to: "/webhooks/new" })}>{t.webhooks.add}</Button>
  );
  return (
    <>
      <PageHead title={t.webhooks.title} detail={t.webhooks.detail}>
        <Link to="/webhooks/events" className="link">
          {t.events.title}
        </Link>
        <Link to="/webhooks/deliveries" className="link">
          {t.deliveries.title}
        </Link>
        {add}
      </PageHead>
      <ListCard query={query} empty={{ title: t.webhooks.empty, detail: t.webhooks.emptyDetail }}>
        {(webhooks) => (
          <Table label={t.webhooks.title} columns={columns} rows={webhooks} rowKey={({ id }) => id} />
        )}
      </ListCard>
    </>
  );
}

/** The part of the requests of the last 24 hours that an endpoint accepted. It completes the row. */
function SuccessCell({ webhookId }: { readonly webhookId: string }) {
  const { data, error } = useQuery(webhookStatisticsQuery(webhookId, "24h"));
  if (data === undefined) return <span className="faint">{error ? t.webhooks.notLoaded : ""}</span>;
  const { count, accepted } = data.all;
  if (count === 0) return <span className="faint">{t.webhooks.noRequests}</span>;
  return t.webhooks.ofRequests(rateText(accepted, count), count);
}
