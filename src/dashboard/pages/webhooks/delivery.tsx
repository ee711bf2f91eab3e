import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Delivery, deliveryQuery, replayDelivery, retryDelivery } from "../../api/deliveries.ts";
import { Answer } from "../../parts/answer.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useNow } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { Attempts } from "./attempts.tsx";
import { DeliveryFacts, SentBody } from "./delivery-facts.tsx";
import { attemptText, deliverySentence, deliveryTone, endText } from "./delivery-state.tsx";

const route = getRouteApi("/inside/webhooks/deliveries/$deliveryId");

/** One event on its way to one endpoint: each request as it was sent, and each answer. */
export function DeliveryPage() {
  const { deliveryId } = route.useParams();
  const query = useQuery(deliveryQuery(deliveryId));
  return <StateView query={query}>{(delivery) => <DeliveryView delivery={delivery} />}</StateView>;
}

function DeliveryView({ delivery }: { readonly delivery: Delivery }) {
  const may = useMay();
  const now = useNow(delivery.due_at !== undefined);
  const { type, tries } = delivery;
  const last = tries.at(-1);
  const detail = endText(delivery) || (last && attemptText(last));
  return (
    <>
      <PageHead
        title={type}
        detail={<span className="mono">{delivery.event_id}</span>}
        above={
          <Link to="/webhooks/deliveries" className="link">
            {t.deliveries.title}
          </Link>
        }
      >
        {may("webhooks.write") && <DeliveryActions delivery={delivery} />}
      </PageHead>
      <Answer tone={deliveryTone(delivery)}>
        <p role="status">
          <b>{deliverySentence(delivery, now)}</b>
        </p>
        {detail && <p className="muted">{detail}</p>}
      </Answer>
      <div className="two">
        <div className="stack">
          <Attempts delivery={delivery} />
          {delivery.body && <SentBody body={delivery.body} />}
        </div>
        <DeliveryFacts delivery={delivery} />
      </div>
    </>
  );
}

/** A pending delivery is sent now; one that has ended is sent again. A dropped one has no receiver. */
function DeliveryActions({ delivery: { id, state } }: { readonly delivery: Delivery }) {
  const queryClient = useQueryClient();
  const options = {
    onSuccess: (changed: Delivery) => {
      queryClient.setQueryData(deliveryQuery(id).queryKey, changed);
      return queryClient.invalidateQueries({ queryKey: ["deliveries"] });
    },
    onError: notifyProblem,
  };
  const retry = useMutation({ mutationFn: () => retryDelivery(id), ...options });
  const replay = useMutation({ mutationFn: () => replayDelivery(id), ...options });
  if (state === "pending")
    return (
      <Button loading={retry.isPending} onClick={() => retry.mutate()}>
        {t.deliveries.retry}
      </Button>
    );
  if (state === "dropped") return null;
  return (
    <Button loading={replay.isPending} onClick={() => replay.mutate()}>
      {t.deliveries.replay}
    </Button>
  );
}
