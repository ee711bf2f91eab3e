import type { JsonObject } from "@bufbuild/protobuf";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { SeverityOf } from "./severities.ts";
import { type AlertInit, alertOf, objectOf, type ReadSource } from "./source-alert.ts";

/**
 * The webhook of Prometheus Alertmanager, version 4, and that of Grafana, which has the same form and says more.
 * https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 */
export function webhookOf(sender: "alertmanager" | "grafana"): ReadSource {
  return (body, severityOf) => {
    if (!Array.isArray(body.alerts) || body.alerts.length === 0)
      throw validationFault([
        {
          pointer: "/alerts",
          code: "field.required",
          message: say("no_webhook_of", { sender }),
        },
      ]);
    return body.alerts.map((one) => readOne(objectOf(one), body, { sender, severityOf }));
  };
}

interface Reading {
  readonly sender: string;
  readonly severityOf: SeverityOf;
}

/** Labels of exporters that identify the entity of a Prometheus alert. */
const ENTITY_LABELS = ["instance", "pod", "host", "hostname", "node"] as const;

function readOne(alert: JsonObject, group: JsonObject, { sender, severityOf }: Reading): AlertInit {
  const labels = objectOf(alert.labels);
  const annotations = objectOf(alert.annotations);
  const isOver = alert.status === "resolved";
  const type = ENTITY_LABELS.find((name) => labels[name] !== undefined);
  const { values, orgId } = alert;
  const { receiver, externalURL, truncatedAlerts } = group;
  return alertOf(
    {
      eventType: labels.alertname,
      severity: labels.severity ?? labels.priority,
      source: [labels.job, labels.service, labels.namespace, labels.grafana_folder, sender],
      message: [
        ...[annotations.summary, annotations.message, annotations.description],
        ...[annotations.title, labels.alertname],
      ],
      entity: type && { type, id: labels[type] },
      status: isOver ? "resolved" : "firing",
      dedupKey: alert.fingerprint,
      // Also of its end: an alert that fires on after a timeout keeps its beginning, and must not be older than that end.
      occurredAt: alert.startsAt,
      context: {
        labels,
        annotations,
        ...(values !== undefined && values !== null && { values }),
        ...(orgId !== undefined && { org_id: orgId }),
        ...(receiver !== undefined && { receiver }),
        ...(truncatedAlerts !== undefined && truncatedAlerts !== 0 && { truncated_alerts: truncatedAlerts }),
      },
      links: [
        { href: annotations.runbook_url ?? annotations.runbook, text: "Runbook" },
        { href: alert.dashboardURL ?? annotations.dashboard, text: "Dashboard" },
        { href: alert.panelURL, text: "Panel" },
        { href: alert.generatorURL, text: "Source" },
        { href: alert.silenceURL, text: "Silence at its source" },
        { href: externalURL, text: sender === "grafana" ? "Grafana" : "Alertmanager" },
      ],
    },
    severityOf,
  );
}
