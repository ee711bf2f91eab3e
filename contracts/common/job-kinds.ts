/** Kinds of jobs. A kind is stored with its jobs: a renamed kind is another kind. */
export const jobKinds = [
  "client.remove",
  "incident.bulk",
  "message.bulk",
  "report.generate",
  "suppression.remove",
  "watched_domain.bulk",
  "watched_domain.import",
  "webhook.replay",
] as const;

export type JobKindName = (typeof jobKinds)[number];
