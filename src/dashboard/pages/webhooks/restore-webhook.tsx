import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { restoreWebhook, type Webhook, webhookQuery } from "../../api/webhooks.ts";
import { RestoreVersion } from "../../parts/restore-version.tsx";
import { t } from "../../texts/texts.ts";
import { UnknownValues } from "./unknown-values.tsx";
import { WebhookDifference } from "./webhook-difference.tsx";

interface RestoreWebhookProps {
  readonly webhook: Webhook;
  readonly version: number;
  /** Number of the present state; undefined if it is not loaded. */
  readonly current: number | undefined;
  /** Names of the version's headers with values that Hermod does not have. */
  readonly missing: readonly string[];
  readonly onClose: () => void;
}

/** Shows the changes of a restoration, asks for unknown values of headers, and stores the version of an endpoint again. */
export function RestoreWebhook({ webhook, version, current, missing, onClose }: RestoreWebhookProps) {
  const { id, revision } = webhook;
  const queryClient = useQueryClient();
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const headers = missing.map((name) => ({ name, value: values.get(name) ?? "" }));

  // The values are no variables of the change: they exist only in the state of this dialog.
  async function restore(): Promise<void> {
    const stored = await restoreWebhook(id, { revision, version, headers });
    queryClient.setQueryData(webhookQuery(id).queryKey, stored);
  }

  return (
    <RestoreVersion
      version={version}
      detail={t.webhooks.restoreDetail}
      restore={restore}
      queryKey={["webhooks"]}
      onClose={onClose}
    >
      {(error) => (
        <>
          {current !== undefined && <WebhookDifference id={id} before={current} after={version} />}
          {headers.length > 0 && (
            <UnknownValues
              headers={headers}
              error={error}
              onChange={(name, value) => setValues((former) => new Map(former).set(name, value))}
            />
          )}
        </>
      )}
    </RestoreVersion>
  );
}
