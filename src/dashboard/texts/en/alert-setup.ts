// Texts of the set-up of alert sources.

export const alertSetup = {
  title: "Set up a source",
  detail:
    "Connect monitors and programs that report alerts: copy the configuration, and wait for the first alert.",
  titleOf: (name: string) => `Set up ${name}`,
  names: {
    alertmanager: "Prometheus Alertmanager",
    grafana: "Grafana",
    pagerduty: "Clients of PagerDuty",
    sentry: "Sentry",
    cron: "Cron and scripts",
  },
  details: {
    alertmanager: "Each alert of Prometheus becomes an alert in Hermod, and is resolved with it.",
    grafana: "A contact point sends the alerts of Grafana, with links to dashboards and panels.",
    pagerduty: "Programs that send events of PagerDuty's Events API version 2 use Hermod's address instead.",
    sentry: "An internal integration sends the alerts of issues and metrics.",
    cron: "A job or a program reports its own failure with curl, and its next success.",
  },
  silent: "A job that does not run at all reports nothing. For that, use",

  key: "1. Key",
  keyDetail:
    "Give each source a key of its own that can only send alerts. Hermod recognizes the source by it. The members of one Alertmanager cluster share one key.",
  createKey: "Create a key for it",
  pick: "Key of the source",
  pickDetail: "Keys that can send alerts. Hermod shows the secret of a key only when it is created.",
  noKey: "Create or choose one",
  mayNotCreate: "Your role may not create keys. Ask an administrator for one that can only send alerts.",
  shownOnce:
    "The configuration below contains the key. Hermod shows it only now: copy it before you leave the page.",
  leaveTitle: "Leave without the key?",
  leaveDetail:
    "Hermod never shows this key again. If you have not copied it, create another one later, and revoke this one.",

  configuration: "2. Configuration",
  placeholder: (word: string) => `${word} stands for the key.`,
  steps: {
    alertmanager:
      "Run the first command on the host of Alertmanager. Add the route and the receiver to its configuration, and reload it. If the configuration has a route already, add only the receiver, and name it in your routes.",
    grafana:
      "Save the file on the host of Grafana and restart Grafana, or enter the same values as a contact point of the type webhook. Then choose the contact point in a notification policy. Its button Test sends an alert.",
    pagerduty:
      "Enter this address as the URL of the Events API. The key in it authenticates, and any routing key is accepted.",
    sentry:
      "In Sentry, open Settings, Developer Settings, and create an internal integration with this webhook URL. Turn on Alert Rule Action, subscribe it to issue, and choose it as the action of an alert rule.",
    cron: "Save the script, put your command in place of the backup, and run the script by cron. It reports a failure, and resolves the alert when the command works again.",
  },
  pieces: {
    keyFile: "Command that stores the key",
    alertmanagerFile: "alertmanager.yml",
    grafanaFile: "/etc/grafana/provisioning/alerting/hermod.yaml",
    url: "Address",
    script: "Script",
    test: "Test without the source: run it on the same host",
  },

  arrivals: "3. First alert",
  noKeyYet: "Create or choose a key first. Then this page waits for its first alert.",
  mayNotSee: "Your role may not see the requests of keys. New alerts are in the list of alerts.",
  waiting: "Waiting for the first alert…",
  waitingDetail: "Trigger an alert at the source, or run the test. The page shows it within a few seconds.",
  arrived: (at: string) => `Alerts of this key arrive. The last one came at ${at}.`,
  refused: (at: string, status: number) =>
    `Hermod refused the last request with this key at ${at} with ${status}.`,
  remedies: {
    400: "The body is not that of this source. Check the address, and leave a custom payload of the source empty.",
    401: "The key is expired or revoked. Create another one.",
    403: "The key may not send alerts, or not from this address. Change its access, or create another one.",
    413: "The body has more than 8 MB. Send fewer alerts at once.",
    422: "The body is not that of this source. Check the address, and leave a custom payload of the source empty.",
    429: "The key has reached its rate limit. The source tries again.",
    503: "Hermod was busy. The source tries again.",
  } as Readonly<Record<number, string>>,
  otherRemedy: "The request log has its trace id, with which the operator finds the reason.",
  toAlerts: "Open the alerts",
  toRequests: "Requests of this key",
};
