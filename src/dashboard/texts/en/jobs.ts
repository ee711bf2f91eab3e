import type { JobKindName } from "../../../../contracts/common/job-kinds.ts";
import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Bulk actions on messages are jobs.
const words = { one: "message", other: "messages" };

export const jobs = {
  title: "Jobs",
  detail: "Work in the background. Kept for 30 days after its end.",
  kind: "Job",
  state: "State",
  progress: "Progress",
  startedBy: "Started by",
  created: "Started",
  empty: "No jobs yet",
  emptyDetail: "Bulk actions on messages, replays of webhooks and other long work appear here.",
  emptyFiltered: "No job matches these filters",
  kinds: {
    "client.remove": "Deletion of a client",
    "incident.bulk": "Incidents",
    "message.bulk": "Messages",
    "report.generate": "Report",
    "suppression.remove": "Removal from the suppression list",
    "watched_domain.bulk": "Watched domains",
    "watched_domain.import": "Import of watched domains",
    "webhook.replay": "Replay of webhooks",
  } satisfies Readonly<Record<JobKindName, string>>,
  states: {
    queued: "Queued",
    running: "Running",
    succeeded: "Succeeded",
    failed: "Failed",
    cancelled: "Canceled",
  } as Readonly<Record<string, string>>,
  outcomes: { done: "Done", skipped: "Skipped", failed: "Failed" } as Readonly<Record<string, string>>,
  about: "About",
  item: "Item",
  outcome: "Outcome",
  reason: "Reason",
  results: "Results",
  noResults: "No results yet",
  of: (done: number, total: number) => `${numberText(done)} of ${numberText(total)}`,
  uncounted: (done: number) => `${numberText(done)}, total not counted yet`,
  cancel: "Cancel the job",
  cancelDetail: "Items that are done stay done. The job ends after its current step.",
  cancelling: "The job ends after its current step.",
  background: "You can leave this page. The job continues and stays in the list of jobs.",
  actions: {
    retry: "Try now",
    cancel: "Cancel messages",
    resend: "Send again",
    acknowledge: "Acknowledge",
    resolve: "Resolve",
    pause: "Pause",
    resume: "Resume",
    move: "Move to a client",
    mute: "Mute",
    unmute: "Unmute",
    tag: "Add tags",
    untag: "Remove tags",
    note: "Replace notes",
    remove: "Stop watching",
  } as Readonly<Record<string, string>>,
  confirm: {
    meant: (count: number, more: boolean) =>
      more
        ? `More than ${plural(count, words)} are selected.`
        : `${plural(count, words)} ${count === 1 ? "is" : "are"} selected.`,
    all: (action: string) => `"${action}" is possible for all of them now.`,
    possible: (action: string, count: number) =>
      `"${action}" is possible for ${plural(count, words)} of them now. The others are skipped, each with its reason.`,
    none: (action: string) => `"${action}" is possible for none of them.`,
    such: "For example",
    frozen: "Messages that are accepted after this count are not included.",
    begin: (action: string, count: number) => `${action}: ${plural(count, words)}`,
  },
};
