import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type DeliveryFilter, retryDeliveries } from "../../api/deliveries.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { endpointColumns } from "./delivery-columns.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { valuesOf } from "./replay-values.ts";

const route = getRouteApi("/inside/webhooks/$webhookId");
const ReplayDialog = lazy(async () => ({ default: (await import("./replay-dialog.tsx")).ReplayDialog }));

/** Deliveries to one endpoint. The address has the filters. */
export function DeliveriesTab({ webhook }: { readonly webhook: Webhook }) {
  const { tab: _, period: __, endpoint_id: ___, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const queryClient = useQueryClient();
  const [isReplaying, setReplaying] = useState(false);
  const retry = useMutation({
    mutationFn: () => retryDeliveries(webhook.id),
    onSuccess: ({ count, has_more }) => {
      notifications.show({ message: t.deliveries.retriedAll(count, has_more), role: "status" });
      return queryClient.invalidateQueries({ queryKey: ["deliveries"] });
    },
    onError: notifyProblem,
  });
  const change = (changes: DeliveryFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  return (
    <>
      <div className="spread">
        <DeliveryFilters
          filter={filter}
          onChange={change}
          onClear={() => navigate({ search: { tab: "deliveries" } })}
        />
        {may("webhooks.write") && (
          <div className="row">
            {!webhook.disabled && (
              <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
                {t.deliveries.retryAll}
              </Button>
            )}
            <Button variant="default" onClick={() => setReplaying(true)}>
              {t.deliveries.replayMatching}
            </Button>
          </div>
        )}
      </div>
      <DeliveryList
        filter={{ ...filter, endpoint_id: webhook.id }}
        columns={endpointColumns}
        isFiltered={Object.values(filter).some(Boolean)}
      />
      <Suspense>
        {isReplaying && (
          <ReplayDialog webhook={webhook} values={valuesOf(filter)} onClose={() => setReplaying(false)} />
        )}
      </Suspense>
    </>
  );
}
