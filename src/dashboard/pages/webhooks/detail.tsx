import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { type Webhook, webhookQuery } from "../../api/webhooks.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Overview } from "./overview.tsx";
import { type WebhookTab, webhookTabs } from "./tabs.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookState } from "./webhook-state.tsx";

const route = getRouteApi("/inside/webhooks/$webhookId");
const DeliveriesTab = lazy(async () => ({ default: (await import("./deliveries-tab.tsx")).DeliveriesTab }));
const Settings = lazy(async () => ({ default: (await import("./settings.tsx")).Settings }));
const Versions = lazy(async () => ({ default: (await import("./versions.tsx")).Versions }));
const Verify = lazy(async () => ({ default: (await import("./verify.tsx")).Verify }));

/** One endpoint: its health, its deliveries, its settings and their versions, and programs that verify its requests. */
export function WebhookPage() {
  const { webhookId } = route.useParams();
  const query = useQuery(webhookQuery(webhookId));
  return (
    <StateView query={query}>{(webhook) => <WebhookView key={webhook.id} webhook={webhook} />}</StateView>
  );
}

function WebhookView({ webhook }: { readonly webhook: Webhook }) {
  const { tab = "overview" } = route.useSearch();
  const may = useMay();
  return (
    <>
      <PageHead
        title={webhook.url}
        detail={
          <>
            <WebhookState webhook={webhook} /> {webhook.description}
          </>
        }
        above={
          <Link to="/webhooks" className="link">
            {t.webhooks.title}
          </Link>
        }
      >
        {may("webhooks.write") && <WebhookActions webhook={webhook} />}
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {webhookTabs.map((one) => (
          <Link
            key={one}
            from="/webhooks/$webhookId"
            search={one === "overview" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.webhooks.tabs[one]}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Pending />}>
        <Part tab={tab} webhook={webhook} />
      </Suspense>
    </>
  );
}

function Part({ tab, webhook }: { readonly tab: WebhookTab; readonly webhook: Webhook }) {
  if (tab === "deliveries") return <DeliveriesTab webhook={webhook} />;
  if (tab === "settings") return <Settings webhook={webhook} />;
  if (tab === "versions") return <Versions webhook={webhook} />;
  if (tab === "verify") return <Verify webhook={webhook} />;
  return <Overview webhook={webhook} />;
}
