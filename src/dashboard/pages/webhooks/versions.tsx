import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Webhook, webhookVersionsQuery } from "../../api/webhooks.ts";
import { VersionList } from "../../parts/version-list.tsx";
import type { VersionSearch } from "../../parts/version-search.ts";
import { VersionContent } from "./version-content.tsx";
import { WebhookDifference } from "./webhook-difference.tsx";

const route = getRouteApi("/inside/webhooks/$webhookId");

/** Versions of the settings of an endpoint: list, comparison and restoration. */
export function Versions({ webhook }: { readonly webhook: Webhook }) {
  const { id } = webhook;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(webhookVersionsQuery(id));
  const change = (changes: VersionSearch) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true, resetScroll: false });
  return (
    <VersionList
      query={query}
      search={search}
      onChange={change}
      difference={(before, after) => <WebhookDifference id={id} before={before} after={after} />}
    >
      {(open) => <VersionContent webhook={webhook} {...open} />}
    </VersionList>
  );
}
