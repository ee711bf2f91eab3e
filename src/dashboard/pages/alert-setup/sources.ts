/** Sources of alerts with a guide. */
export const sources = ["alertmanager", "grafana", "pagerduty", "sentry", "cron"] as const;
export type AlertSource = (typeof sources)[number];

export const isSource = (name: string): name is AlertSource => (sources as readonly string[]).includes(name);

interface Access {
  /** Base URL such as `https://mail.example.com`, without a trailing slash. */
  readonly baseUrl: string;
  /** API key, or its placeholder. */
  readonly key: string;
}

/** A text to copy. */
interface Piece {
  readonly kind: "keyFile" | "alertmanagerFile" | "grafanaFile" | "url" | "script" | "test";
  readonly text: string;
}

/** Configuration of a source, in the order of its steps. The last piece sends a test without the source. */
export const pieces: Readonly<Record<AlertSource, (access: Access) => readonly Piece[]>> = {
  alertmanager: (access) => [
    { kind: "keyFile", text: `(umask 077; printf %s '${access.key}' > /etc/alertmanager/hermod.key)` },
    {
      kind: "alertmanagerFile",
      text: `route:
  receiver: hermod
  group_by: [alertname]
  group_wait: 5s
  group_interval: 1m
  repeat_interval: 4h
receivers:
  - name: hermod
    webhook_configs:
      - url: ${access.baseUrl}/inbound/alerts/alertmanager
        send_resolved: true
        http_config:
          authorization:
            credentials_file: /etc/alertmanager/hermod.key`,
    },
    { kind: "test", text: prometheusTest(access, "alertmanager") },
  ],

  grafana: (access) => [
    {
      kind: "grafanaFile",
      text: `apiVersion: 1
contactPoints:
  - orgId: 1
    name: hermod
    receivers:
      - uid: hermod
        type: webhook
        disableResolveMessage: false
        settings:
          url: ${access.baseUrl}/inbound/alerts/grafana
          httpMethod: POST
          authorization_scheme: Bearer
          authorization_credentials: ${access.key}`,
    },
    { kind: "test", text: prometheusTest(access, "grafana") },
  ],

  pagerduty: ({ baseUrl, key }) => {
    const url = `${baseUrl}/inbound/alerts/pagerduty/${key}/v2/enqueue`;
    const payload = { summary: MESSAGE, source: "set-up", severity: "info" };
    return [
      { kind: "url", text: url },
      {
        kind: "test",
        text: `curl -fsS '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ routing_key: "any", event_action: "trigger", dedup_key: "set-up", payload })}'`,
      },
    ];
  },

  sentry: ({ baseUrl, key }) => [
    { kind: "url", text: `${baseUrl}/inbound/alerts/sentry/${key}?severity=error:warning` },
  ],

  cron: (access) => [
    {
      kind: "script",
      text: `#!/bin/sh
if /usr/local/bin/backup
then status=resolved severity=info
else status=firing severity=warning
fi
${curlOf(access, "/v1/alerts/ingest", "-fsS --retry 5 --retry-connrefused -o /dev/null")} \\
  -d "{\\"event_type\\":\\"backup\\",\\"source\\":\\"cron\\",\\"severity\\":\\"$severity\\",\\"status\\":\\"$status\\",
       \\"message\\":\\"Nightly backup of $(hostname)\\",\\"dedup_key\\":\\"backup/$(hostname)\\"}"`,
    },
    {
      kind: "test",
      text: `${curlOf(access, "/v1/alerts/ingest")} \\
  -d '${JSON.stringify({ event_type: "test", source: "cron", severity: "info", message: MESSAGE })}'`,
    },
  ],
};

const MESSAGE = "A test of the set-up";

/** The body that Alertmanager and Grafana send, with the fields that Hermod needs. */
function prometheusTest(access: Access, format: "alertmanager" | "grafana"): string {
  const labels = { alertname: "HermodTest", severity: "info" };
  const alerts = [{ status: "firing", labels, annotations: { summary: MESSAGE } }];
  return `${curlOf(access, `/inbound/alerts/${format}`)} \\
  -d '${JSON.stringify({ alerts })}'`;
}

const curlOf = ({ baseUrl, key }: Access, path: string, options = "-fsS") =>
  `curl ${options} ${baseUrl}${path} \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`;
