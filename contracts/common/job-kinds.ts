/** Kinds of jobs. A kind is stored with its jobs: a renamed kind is another kind. */
export const jobKinds = [
  "incident.bulk",
  "message.bulk",
  "report.generate",
  "suppression.remove",
  "webhook.replay",
] as const;

export type JobKindName = (typeof jobKinds)[number];
