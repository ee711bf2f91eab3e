import { useQuery } from "@tanstack/react-query";
import { webhookStatisticsQuery } from "../../api/webhooks.ts";
import { t } from "../../texts/texts.ts";
import { rateText } from "../overview/rates.ts";

/** The part of the requests of the last 24 hours that an endpoint accepted. It completes the row. */
export function SuccessCell({ webhookId }: { readonly webhookId: string }) {
  const { data, error } = useQuery(webhookStatisticsQuery(webhookId, "24h"));
  if (data === undefined) return <span className="faint">{error ? t.webhooks.notLoaded : ""}</span>;
  const { count, accepted } = data.all;
  if (count === 0) return <span className="faint">{t.webhooks.noRequests}</span>;
  return t.webhooks.ofRequests(rateText(accepted, count), count);
}
