import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { deliveriesQuery } from "../../api/deliveries.ts";
import { rowsOf } from "../../api/pages.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { Answer } from "../../parts/answer.tsx";
import { useSearchOn } from "../../parts/list-card.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { Table } from "../../parts/table.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { failureColumns } from "./delivery-columns.tsx";
import { toneOf } from "./webhook-state.tsx";

const MOST = 5;
/** Reasons to which the detail adds nothing. */
const clearReasons: ReadonlySet<string> = new Set(["owner", "gone"]);

/** Why nothing is sent to the endpoint: the reason, the last failures, and the steps to continue. */
export function WhyDisabled({ webhook }: { readonly webhook: Webhook }) {
  const query = useInfiniteQuery(deliveriesQuery({ endpoint_id: webhook.id, state: "failed" }));
  const isSearching = useSearchOn(query);
  const { reason = "", detail = "", at = webhook.updated_at } = webhook.disabled ?? {};
  const { why } = t.webhooks;
  const since = timeText(at, new Date(), true);
  const search = { tab: "deliveries" as const, state: "failed" };
  return (
    <>
      <Answer tone={toneOf(webhook)}>
        <p>
          <b>{why.reasons[reason]?.(since) ?? why.other(reason, since)}</b>
        </p>
        {detail && !clearReasons.has(reason) && <p className="muted">{detail}</p>}
        <p className="muted">{why.next}</p>
      </Answer>
      <section className="card" aria-labelledby="failures">
        <header>
          <h2 id="failures">{why.last}</h2>
          <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} search={search} className="link">
            {why.allFailures}
          </Link>
        </header>
        <StateView
          query={query}
          empty={{
            when: (data) => rowsOf(data).length === 0,
            view: isSearching ? <Pending /> : <p className="notice muted">{why.noFailures}</p>,
          }}
        >
          {(data) => (
            <Table
              label={why.last}
              columns={failureColumns}
              rows={rowsOf(data).slice(0, MOST)}
              rowKey={({ id }) => id}
            />
          )}
        </StateView>
      </section>
    </>
  );
}
