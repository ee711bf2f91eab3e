import { JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { HoldSchema, type QueueSelection } from "../../gen/hermod/queue/v1/queue_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { queueCount } from "./count-messages.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod queue` */
export const queues = commandGroup("queue", "Count, hold, release and purge waiting messages.", () => [
  queueCount,
  queueHold,
  queueRelease,
  queueList,
  queuePurge,
]);

interface Selecting {
  readonly destination?: string;
  readonly policy?: string;
  readonly all?: true;
}

type Selection = Pick<QueueSelection, "accountId" | "destination" | "policy" | "all">;

const DESTINATION = ["--destination <domain>", "messages to recipients of this domain"] as const;
const POLICY = ["--policy <name>", "messages of this routing policy of the account"] as const;
const ALL = ["--all", "all messages of all accounts"] as const;

function selectionOf(accountId: string, { destination = "", policy = "", all }: Selecting): Selection {
  return { accountId, destination, policy, all: all === true };
}

/** `hermod queue hold` */
const queueHold = showCommand({
  name: "hold",
  description: "Hold delivery of an account, a destination, a policy, or all messages.",
  options: [DESTINATION, POLICY, ALL, ["--reason <text>", "reason, for people"]],
  call: ({ core, account }, { reason = "", ...options }: Selecting & { readonly reason?: string }) =>
    core.queues.holdQueue({ selection: selectionOf(account, options), reason }),
  of: "hold",
  schema: HoldSchema,
  text: ({ selection }) => `Holding delivery: ${describe(selection)}.`,
  note: () => "Workers stop within two seconds. `hermod queue release` with the same options ends the hold.",
});

/** `hermod queue release` */
const queueRelease = showCommand({
  name: "release",
  description: "Release a hold. Due messages are sent at once.",
  options: [DESTINATION, POLICY, ALL],
  call: ({ core, account }, options: Selecting) =>
    core.queues.releaseQueue({ selection: selectionOf(account, options) }),
  of: "hold",
  schema: HoldSchema,
  text: ({ selection }) => `Released delivery: ${describe(selection)}.`,
});

/** `hermod queue list` */
const queueList = listCommand({
  description: "List the holds of the operator.",
  limit: "none",
  call: ({ core }) => core.queues.listHolds({}),
  of: "holds",
  schema: HoldSchema,
  columns: [
    ["HELD", ({ selection }) => describe(selection)],
    ["SINCE", ({ heldAt }) => plainTime(heldAt)],
    ["REASON", ({ reason }) => printable(reason)],
  ],
  none: "The operator has no holds.",
});

/** `hermod queue purge` */
const queuePurge = showCommand({
  name: "purge",
  description: "Cancel the waiting messages of an account, a destination or a policy.",
  options: [DESTINATION, POLICY],
  call: ({ core, account }, { destination = "", policy = "" }: Selecting) =>
    core.queues.purgeQueue({ accountId: account, destination, policy }),
  of: "job",
  schema: JobSchema,
  text: ({ id }) => `The job ${id} cancels the messages in the background.`,
  note: ({ id }) => `Progress: hermod job show ${id}`,
});

function describe({
  accountId = "",
  destination = "",
  policy = "",
  all = false,
}: Partial<Selection> = {}): string {
  if (all) return "all messages";
  const parts = [
    policy && `policy ${printable(policy)}`,
    destination && `destination ${printable(destination)}`,
    accountId && `account ${printable(accountId)}`,
  ];
  return parts.filter(Boolean).join(", ");
}
