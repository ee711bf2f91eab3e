import { useQuery } from "@tanstack/react-query";
import { type Webhook, webhookVersionQuery } from "../../api/webhooks.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { type OpenVersion, VersionView } from "../../parts/version-view.tsx";
import { RestoreWebhook } from "./restore-webhook.tsx";

interface VersionContentProps extends OpenVersion {
  readonly webhook: Webhook;
}

/** An open version: its settings without the values of headers, and its actions. */
export function VersionContent({ webhook, ...open }: VersionContentProps) {
  const { version, current } = open;
  const query = useQuery(webhookVersionQuery(webhook.id, version.version));
  const may = useMay();
  return (
    <div className="stack">
      <StateView query={query}>
        {({ content: { headers, ...settings } }) => {
          const missing = headers.filter(({ value_known }) => !value_known).map(({ name }) => name);
          const restoration = (onClose: () => void) => (
            <RestoreWebhook
              webhook={webhook}
              version={version.version}
              current={current}
              missing={missing}
              onClose={onClose}
            />
          );
          return (
            <VersionView
              {...open}
              content={{ ...settings, headers: headers.map(({ name }) => ({ name })) }}
              restoration={may("webhooks.write") ? restoration : undefined}
            />
          );
        }}
      </StateView>
    </div>
  );
}
