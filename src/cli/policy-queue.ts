import { Option } from "commander";
import {
  type GetPolicyQueueResponse,
  GetPolicyQueueResponseSchema,
  type PolicyHold,
  PolicyHoldSchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { POLICY_NAME } from "./input/policy-options.ts";
import type { Paint } from "./output/paint.ts";
import { table } from "./output/table.ts";
import { actorText, plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

const DESTINATION = ["--destination <domain>", "only messages to recipients of this domain"] as const;

interface ToDestination {
  readonly destination?: string;
}

/** `hermod policy waiting`: also of a deleted policy that messages still use. */
export const policyWaiting = showCommand({
  name: "waiting",
  description: "Count the messages that wait under a policy, by destination, and show its holds.",
  arguments: [POLICY_NAME],
  call: async ({ core, account, args: [name = ""] }) => ({
    queue: await core.policies.getPolicyQueue({ accountId: account, name }),
  }),
  of: "queue",
  schema: GetPolicyQueueResponseSchema,
  text: (queue, { paint }) => queueText(paint, queue),
  note: ({ holds }) =>
    holds.some(({ owner }) => owner === "operator")
      ? "`hermod queue list` shows all holds of the operator, and `hermod queue release` ends them."
      : undefined,
});

function queueText(paint: Paint, queue: GetPolicyQueueResponse): string {
  const { waiting, scheduled, destinations, otherWaiting, isPartial, holds, deleted } = queue;
  const destinationRows = destinations.map((one) => [
    printable(one.domain),
    String(one.waiting),
    plainTime(one.oldestAt),
    one.held ? paint("yellow", "yes") : "no",
  ]);
  const holdRows = holds.map(({ destination, owner, heldBy, heldAt, reason }) => [
    printable(destination) || "all destinations",
    owner,
    actorText(heldBy),
    plainTime(heldAt),
    printable(reason),
  ]);
  const heading = ["DESTINATION", "WAITING", "OLDEST", "HELD"];
  return [
    `${countText(waiting)}, and ${scheduled === 1n ? "1 is" : `${scheduled} are`} scheduled.`,
    ...(deleted ? ["The policy is deleted. Waiting messages still follow it."] : []),
    ...(destinationRows.length === 0 ? [] : ["", table(paint, heading, destinationRows, "")]),
    ...(otherWaiting === 0n ? [] : [`${countText(otherWaiting)} for other destinations.`]),
    ...(isPartial ? ["The count by destination stopped after two seconds."] : []),
    "",
    table(paint, ["HOLD", "OWNER", "BY", "SINCE", "REASON"], holdRows, "No hold covers the policy."),
  ].join("\n");
}

const countText = (messages: bigint) => (messages === 1n ? "1 message waits" : `${messages} messages wait`);

/** `hermod policy hold`: a hold of the account, unlike `hermod queue hold`, which only the operator can release. */
export const policyHold = showCommand({
  name: "hold",
  description: "Hold the messages of a policy. The members of the account can release them.",
  arguments: [POLICY_NAME],
  options: [DESTINATION, new Option("--reason <text>", "reason, for people").makeOptionMandatory()],
  call: (
    { core, account, args: [name = ""] },
    { destination = "", reason }: ToDestination & { readonly reason: string },
  ) => core.policies.holdPolicyQueue({ accountId: account, name, destination, reason }),
  of: "hold",
  schema: PolicyHoldSchema,
  text: (hold) =>
    `Holding ${coverageOf(hold)}. Held by ${actorText(hold.heldBy)} since ${plainTime(hold.heldAt)}: ${printable(hold.reason)}`,
  note: () =>
    "Workers stop within two seconds. `hermod policy release` with the same policy and destination ends the hold.",
});

/** `hermod policy release`: of a hold of the account. */
export const policyRelease = showCommand({
  name: "release",
  description: "Release a hold of a member or of `hermod policy hold`. Due messages are sent at once.",
  arguments: [POLICY_NAME],
  options: [DESTINATION],
  call: ({ core, account, args: [name = ""] }, { destination = "" }: ToDestination) =>
    core.policies.releasePolicyQueue({ accountId: account, name, destination }),
  of: "hold",
  schema: PolicyHoldSchema,
  text: (hold) =>
    `Released ${coverageOf(hold)}, held by ${actorText(hold.heldBy)} since ${plainTime(hold.heldAt)}.`,
});

function coverageOf({ policy, destination }: PolicyHold): string {
  const to = destination === "" ? "" : ` to ${printable(destination)}`;
  return `the messages of the policy ${printable(policy)}${to}`;
}
