import type { Command } from "commander";
import { JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { HoldSchema, type QueueSelection } from "../../gen/hermod/queue/v1/queue_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { messageJson } from "./output/alert-text.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod queue` */
export function queues(program: Command, surroundings: Surroundings): void {
  const group = program.command("queue").description("Hold, release and purge waiting messages.");
  queueHold(group, surroundings);
  queueRelease(group, surroundings);
  queueList(group, surroundings);
  queuePurge(group, surroundings);
}

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
function queueHold(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("hold")
    .description("Hold delivery for an account, destination or policy, or for all.")
    .option(...DESTINATION)
    .option(...POLICY)
    .option(...ALL)
    .option("--reason <text>", "why, for people");
  coreCommand<Selecting & { readonly reason?: string }>(
    surroundings,
    command,
    async ({ core, account }, { reason = "", ...options }) => {
      const { hold } = await core.queues.holdQueue({ selection: selectionOf(account, options), reason });
      return {
        json: messageJson(HoldSchema, hold),
        text: () => `Delivery is held: ${describe(hold?.selection)}.`,
        note: "Workers follow within two seconds. `hermod queue release` with the same options ends the hold.",
      };
    },
  );
}

/** `hermod queue release` */
function queueRelease(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("release")
    .description("Release a hold: what was due is sent at once.")
    .option(...DESTINATION)
    .option(...POLICY)
    .option(...ALL);
  coreCommand<Selecting>(surroundings, command, async ({ core, account }, options) => {
    const { hold } = await core.queues.releaseQueue({ selection: selectionOf(account, options) });
    return {
      json: messageJson(HoldSchema, hold),
      text: () => `Delivery goes on: ${describe(hold?.selection)}.`,
    };
  });
}

/** `hermod queue list` */
function queueList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List all holds.");
  coreCommand(surroundings, command, async ({ core, paint }) => {
    const { holds } = await core.queues.listHolds({});
    const rows = holds.map(({ selection, heldAt, reason }) => [
      describe(selection),
      plainTime(heldAt),
      printable(reason),
    ]);
    return {
      json: listJson(holds.map((one) => messageJson(HoldSchema, one))),
      text: () => table(paint, ["HELD", "SINCE", "REASON"], rows, "Nothing is held."),
    };
  });
}

/** `hermod queue purge` */
function queuePurge(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("purge")
    .description("Cancel the waiting messages of an account, or of one destination or policy of it.")
    .option(...DESTINATION)
    .option(...POLICY);
  coreCommand<Selecting>(
    surroundings,
    command,
    async ({ core, account }, { destination = "", policy = "" }) => {
      const { job } = await core.queues.purgeQueue({ accountId: account, destination, policy });
      return {
        json: messageJson(JobSchema, job),
        text: () => `${job?.id ?? ""} cancels them in the background.`,
        note: `\`hermod job show ${job?.id ?? ""}\` says how far it is.`,
      };
    },
  );
}

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
