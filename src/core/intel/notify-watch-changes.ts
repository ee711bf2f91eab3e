import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { Fault } from "../../shared/fault.ts";
import { newTraceId } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { WatchChangeDocument } from "../../store/intel-documents.ts";
import { createAcceptAlert } from "../alerts/accept-alert.ts";
import type { Dependencies } from "../dependencies.ts";

type Needs = Pick<Dependencies, "store" | "alertEngine" | "idempotency" | "retention" | "clock" | "log">;

const AT_ONCE = 100;
const SOURCE = "deliverability";

/**
 * One run that submits changes of watched domains as alerts to the account's alert rules. Each has its own id: a
 * change that a terminated process did not mark is not submitted twice.
 */
export function createNotifyWatchChanges(needs: Needs) {
  const { watches } = needs.store.acrossAccounts;
  const acceptAlert = createAcceptAlert(needs);

  async function report(change: WatchChangeDocument): Promise<void> {
    const arrival = {
      accountId: change.accountId,
      keyId: "",
      idempotencyKey: change._id,
      alert: alertOf(change),
    };
    const context = { traceId: newTraceId(needs.clock.now()), signal: new AbortController().signal };
    try {
      await acceptAlert(arrival, context);
    } catch (error) {
      // A change that cannot be stored now is submitted in the next run. A change that can never be submitted must
      // not delay the others.
      if (!(error instanceof Fault) || error.code.startsWith("store.")) throw error;
      needs.log.warn(
        { err: error, change: change._id },
        "a change of a watched domain could not be stored as an alert",
      );
    }
    await watches.markAlerted(change);
  }

  return async (): Promise<void> => {
    for (;;) {
      const untold = await watches.listUnalerted(AT_ONCE);
      for (const change of untold) await report(change);
      if (untold.length < AT_ONCE) return;
    }
  };
}

/** Findings, listings and the status of a domain are separate alerts, which become active and are resolved. */
function alertOf(change: WatchChangeDocument) {
  const { kind, at, domain, domainId, clientId, workspaceId, checkId, list, subject, from, to, text } =
    change;
  const about = [domainId, checkId ?? list ?? "status", subject].filter((part) => part !== undefined);
  return create(AlertSchema, {
    eventType: kind,
    source: SOURCE,
    message: text,
    severity: severityOf(change),
    entityType: "domain",
    entityId: domain,
    dedupKey: about.join("/"),
    status: isOver(change) ? "resolved" : "firing",
    occurredAt: timestampFromDate(at),
    context: withoutUndefined({
      domain_id: domainId,
      client_id: clientId,
      workspace_id: workspaceId,
      check_id: checkId,
      list,
      subject,
      from,
      to,
    }) as Record<string, string>,
  });
}

function isOver({ kind, to }: WatchChangeDocument): boolean {
  if (kind === "watched_domain.status_changed") return to === "healthy";
  return kind === "finding.resolved" || kind === "blacklist.delisted";
}

function severityOf({ kind, severity, to }: WatchChangeDocument): string {
  if (severity) return severity;
  if (kind === "watched_domain.status_changed")
    return to === "critical" ? "critical" : to === "healthy" ? "info" : "warning";
  return "critical";
}
