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
  /** Public address of the HTTP API, to which links in mail point; undefined: no links. */
  readonly baseUrl: string | undefined;
  /** Retention of mail bodies and of resolved incidents. */
  readonly contentMs: number;
  readonly keptMs: number;
}

/** Lifetime of links in mail. */
const LINK_MS = 30 * 86_400_000;

/** The alert engine, and the links in its mail. */
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
      // From the time of the notice, so that a repeated composition is equal.
      const expiresAt = new Date(at.getTime() + LINK_MS);
      return `${baseUrl}/incident/${incidentTokens.encode({ accountId, incidentId, recipient, expiresAt })}`;
    },
  });
  return { alertEngine, incidentTokens };
}
