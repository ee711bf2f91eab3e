import { createAlertEngine } from "../core/alerts/create-alert-engine.ts";
import type { Dependencies } from "../core/dependencies.ts";
import { createMailOnce } from "../core/send/mail-once.ts";
import { createPrepareEmail } from "../core/send/prepare-email.ts";
import { createIncidentTokens } from "../message/incident-token.ts";
import { ALERT } from "../shared/operations.ts";

interface AlertParts
  extends Pick<
    Dependencies,
    "store" | "settings" | "verifySender" | "limits" | "intake" | "partitionOf" | "clock" | "log"
  > {
  /** Public address of the HTTP API, where links in mail lead; undefined: there are none. */
  readonly baseUrl: string | undefined;
  /** How long bodies of mail are kept, and incidents that are over. */
  readonly contentMs: number;
  readonly keptMs: number;
}

/** Links in mail hold for so long. */
const LINK_MS = 30 * 86_400_000;

/** What decides about alerts, and the links in what it mails. */
export async function composeAlerts(
  parts: AlertParts,
): Promise<Pick<Dependencies, "alertEngine" | "incidentTokens">> {
  const { store, baseUrl, clock, log, keptMs, contentMs: contentRetentionMs } = parts;
  const incidentTokens = createIncidentTokens(await store.secrets.getOrCreate("incident"));
  const prepareEmail = createPrepareEmail({ ...parts, policyBounds: { baseUrl } });
  const mailAlert = createMailOnce({
    ...parts,
    prepareEmail,
    contentRetentionMs,
    operation: ALERT,
    source: "alert",
  });
  const alertEngine = createAlertEngine({
    store,
    mailAlert,
    clock,
    log,
    keptMs,
    linkOf: ({ accountId, incidentId, at }, recipient) => {
      if (baseUrl === undefined) return undefined;
      // From the notice on, and not from now on: one that is made again says the same.
      const expiresAt = new Date(at.getTime() + LINK_MS);
      return `${baseUrl}/incident/${incidentTokens.encode({ accountId, incidentId, recipient, expiresAt })}`;
    },
  });
  return { alertEngine, incidentTokens };
}
