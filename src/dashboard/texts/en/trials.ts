import { plural } from "../plural.ts";

// Texts of the tests of an alert rule: on past alerts, and of its mail.

interface Estimate {
  readonly incidents: number;
  readonly notices: number;
  readonly mails: number;
  readonly posts: number;
  readonly digests: number;
}

const alerts = { one: "alert", other: "alerts" };

export const trials = {
  pastTitle: "Try the rule with past alerts",
  pastDetail: "Together with the other rules of the account. Nothing is stored or sent.",
  period: "Alerts",
  periods: {
    last: "The latest 1,000",
    day: "The last 24 hours",
    week: "The last 7 days",
    month: "The last 30 days",
  },
  outcome: "Result at their arrival",
  anyOutcome: "Any",
  outcomes: { unmatched: "No rule matched", routed: "Notified", suppressed: "Suppressed" },
  source: "Source",
  anySource: "Any",
  pastAction: "Try",
  testing: "Hermod evaluates the alerts. This can take some seconds.",
  pastResult: "Result for past alerts",
  noneTested: "No alert meets this filter.",
  matched: (matched: number, tested: number) => `The rule matches ${matched} of ${plural(tested, alerts)}.`,
  more: (count: number) => `It did not match ${count} of them at their arrival.`,
  fewer: (count: number) => `It no longer matches ${plural(count, alerts)} that it matched at their arrival.`,
  same: "It matched the same alerts at their arrival.",
  estimate: ({ incidents, notices, mails, posts, digests }: Estimate) => {
    const sent = [
      plural(mails, { one: "mail", other: "mails" }),
      ...(posts > 0
        ? [plural(posts, { one: "request to alert targets", other: "requests to alert targets" })]
        : []),
    ].join(" and ");
    const collected =
      digests > 0 ? `, ${plural(digests, { one: "digest", other: "digests" })} among them` : "";
    return `It would have opened ${plural(incidents, { one: "incident", other: "incidents" })} and sent ${plural(notices, { one: "notice", other: "notices" })}: ${sent}${collected}. The estimate ignores silences, inhibitions and acknowledgments.`;
  },
  takenBy: (rule: string, count: number) =>
    `${plural(count, alerts)} that meet its conditions ${count === 1 ? "is" : "are"} taken by "${rule}".`,
  moreAlerts: "There are more such alerts. The latest were tested.",
  moreNotices: "There are more notices than a test counts: the numbers are lower bounds.",
  outdated: "The rule was changed after this test.",
  alertsTitle: "Alerts",
  alertsDetail: "Matches and differences",
  change: "Change",
  changes: {
    unchanged: "As before",
    newly_matched: "Now matched",
    no_longer_matched: "No longer matched",
    moved: "Other rules",
  } as Readonly<Record<string, string>>,
  before: "Rules at its arrival",
  after: "Rules now",
  noRule: "none",
  noticesTitle: "Notices that it would have sent",
  noticesDetail: "The earliest first",
  notice: "Notice",
  reason: "Reason",
  reasons: {
    first: "First notice",
    new: "New alerts",
    severity: "Higher severity",
    repeat: "Repetition",
    escalation: "Escalation",
    snooze_ended: "Snooze ended",
    reopened: "Reopened",
    resolved: "Resolved",
    digest: "Digest",
  } as Readonly<Record<string, string>>,
  receivers: "To",
  firstNotices: (count: number) => `These are the first ${count}.`,
  othersTitle: "Other rules that this changes",
  othersDetail: "Numbers of the alerts that they match",
  matchedBefore: "At their arrival",
  matchedNow: "Now",

  mailTitle: "The mail of the rule",
  mailDetail: "About the alert above. Nothing is stored or sent.",
  mailAction: "Show the mail",
  mailTo: (recipients: string) => `The first notice goes to ${recipients}.`,
  mailFrame: "Mail of the rule",
  kind: "Notice",
  kinds: { first: "First notice", resolved: "Resolved", digest: "Digest" },
  noResolvedMail: "The rule sends no mail when an incident is resolved.",
  templateFaults: "The template cannot be filled in:",
  sendAction: "Send it to me",
  sendDetail: "As a message of the account, with [test] in its subject. No incident is opened.",
};
