import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Texts of alert targets.

export const targets = {
  title: "Targets",
  detail: "Webhooks, and channels of Slack and Microsoft Teams, that alert rules notify in addition to mail.",
  empty: "No targets yet",
  emptyDetail: "Create one for a channel of your team, and name it in an alert rule.",
  emptyFiltered: "No target matches these filters",
  create: "Create a target",
  createDetail: "Hermod posts notices of incidents to it. Nothing is sent until a rule names it.",
  createAction: "Create",
  created: "The target was created",
  search: "Search targets",
  searchHint: "Part of the name or host",
  kind: "Kind",
  kindFixed: "It cannot be changed later.",
  kinds: { slack: "Slack", teams: "Microsoft Teams", webhook: "Webhook" } as Readonly<Record<string, string>>,
  kindDetails: {
    slack: "A channel of Slack, or of a service that accepts the same messages, such as Mattermost.",
    teams: "A channel or chat of Microsoft Teams.",
    webhook: "A program of yours. It receives each notice as signed JSON.",
  },
  state: "State",
  states: { unused: "Unused", working: "Working", failing: "Failing" } as Readonly<Record<string, string>>,
  name: "Name",
  nameDetail: "Rules and the history of incidents show it. 1 to 100 of a-z 0-9 . _ -",
  description: "Description",
  descriptionDetail: "For people, at most 200 characters.",
  lastDelivered: "Last delivery",
  lastFailed: "Last failure",
  never: "none",
  usedBy: "Used by",
  ruleCount: (count: number) => (count === 0 ? "no rule" : plural(count, { one: "rule", other: "rules" })),
  tabs: { overview: "Overview", settings: "Settings" },

  unused: "Nothing was sent to this target yet.",
  unusedDetail: "Send a test: it shows whether the target accepts a notice.",
  works: (at: string) => `The target accepted the last notice at ${at}.`,
  failed: (at: string, reason: string) => `The last attempt failed at ${at}: ${reason}.`,
  failedWith: (at: string, status: number) =>
    `The last attempt failed at ${at}: the target answered ${status}.`,
  nextAttempt: (at: string) => `The next attempt is at ${at}.`,
  answered: (status: number) => `The target answered ${status}.`,
  advice: {
    noAnswer:
      "Hermod got no answer. Check that its host can reach the name and the port of the URL, and that the certificate is valid.",
    busy: "The target limits its requests. Hermod waits as long as it asks. Check whether other programs use the same URL.",
    broken:
      "The receiver has an error of its own. Its answer and its log show the reason. Hermod tries again.",
    redirect: "The URL redirects, and Hermod does not follow redirects. Enter the final URL under Settings.",
    slackGone:
      "The incoming webhook or its channel no longer exists. Create an incoming webhook in Slack, and enter its URL under Settings.",
    slackRefused:
      "The service does not accept the message. Check that the URL is that of an incoming webhook.",
    teamsGone:
      "The workflow no longer exists, is turned off, or its owner has left. Create a workflow in Teams, and enter its URL under Settings.",
    teamsRefused:
      "The workflow does not accept the message. Check that it begins when a webhook request is received, and posts a card.",
    signature:
      "The receiver refuses the request. Check that it verifies with the current secret, and that the headers under Settings are right.",
    address: "The receiver does not know the path or the method. Check the URL under Settings.",
    gone: "With 410, the receiver asks for no more notices. Enter another URL under Settings, or delete the target.",
    refused: "The receiver refuses the notice. Its answer and its log show the reason.",
  },

  deliveries: "Deliveries",
  deliveriesDetail: "Notices of the last 30 days.",
  noDeliveries: "No deliveries yet",
  notice: "Notice",
  noticeOf: (number: number) => `Notice ${numberText(number)}`,
  digest: (number: number) => `Digest ${numberText(number)}`,
  rule: "Rule",
  attempts: "Attempts",
  nextAt: (at: string) => `next ${at}`,

  noRule: "No rule notifies this target",
  noRuleDetail: "It receives nothing until a rule names it.",
  makeRule: "Create a rule with it",
  byEscalation: "only by escalation",
  disabledRule: "disabled",

  host: "Host",
  rate: "Limit",
  perSecond: (count: number) => `${plural(count, { one: "request", other: "requests" })} per second`,
  id: "Id",

  receiver: "Receiver",
  steps: {
    slack:
      "In Slack, open Apps, Incoming Webhooks. Add one to a channel, and copy its URL. For Mattermost, create an incoming webhook under Integrations.",
    teams:
      "In Teams, create a workflow with the trigger “When a Teams webhook request is received” and the action “Post card in a chat or channel”. Copy its URL.",
    webhook: "Enter the URL of your program. It answers with 200 to 299 when it has accepted a notice.",
  },
  url: "URL",
  urlDetail: "The URL is a secret and never shown again. Hermod shows only its host.",
  urlStays: (host: string) => `The URL at ${host} is a secret and not shown. Empty: it stays.`,
  urlHints: {
    slack: "https://hooks.slack.com/services/T000/B000/XXXX",
    teams: "https://prod-00.westeurope.logic.azure.com/workflows/…",
    webhook: "https://ops.example.com/hooks/hermod",
  },
  requests: "Requests",
  rateDetail: (most: number, usual: number) => `1 to ${most}. Further notices wait. Empty: ${usual}.`,

  test: "Send a test",
  testTitle: (name: string) => `Test of ${name}`,
  testDetail: {
    slack: "Hermod has sent a sample to the channel. Nothing is stored, and the state does not change.",
    teams: "Hermod has sent a sample to the workflow. Nothing is stored, and the state does not change.",
    webhook: 'Hermod has sent a sample with "test": true. Nothing is stored, and the state does not change.',
  },
  testAgain: "Send again",
  testAccepted: (status: number, span: string) =>
    `The target accepted the sample with ${status} after ${span}.`,
  testFailed: (span: string) => `The target did not accept the sample. The attempt took ${span}.`,

  rotated: "The target has a new secret",
  save: "Save",
  saved: "The settings are saved. Pending notices are sent with them too.",
  saveDetail: "Pending notices are sent with the new settings.",
  leaveDetail: "The changes of this target are lost.",
  mayNotChange: "Your role may not change targets.",
  more: "More",
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeDetail: "Pending notices are never sent to it. Rules that name it no longer notify it.",
  removed: (name: string) => `${name} was deleted`,
};
