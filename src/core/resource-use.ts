import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ResourceUseSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { fault, type ResourceUse, type ResourceUser } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";

/** Kinds of users of a resource that a member can remove, or the reason why there are none. */
export type Removable =
  | {
      readonly users: readonly [ResourceUser["kind"], ...ResourceUser["kind"][]];
      /** `false`: the users must be changed first. Missing: `force` removes the resource all the same. */
      readonly isForcible?: false;
    }
  | { readonly unused: string };

/**
 * Every operation of the contract that removes a resource, by its operationId. A test compares it with the contracts.
 */
export const removals: Readonly<Record<string, Removable>> = {
  deletePolicy: { users: ["alert_rule", "schedule", "webhook"] },
  deleteTemplate: { users: ["alert_rule"] },
  removeSender: { users: ["alert_rule", "schedule", "key"] },
  removeDomain: { users: ["alert_rule", "schedule", "key"] },
  removeWatchedDomain: { users: ["schedule"] },
  deleteTarget: { users: ["alert_rule"] },
  removeClient: { users: ["schedule"] },
  deleteWebhook: { users: ["webhook_delivery"] },
  deleteAlertRule: { unused: "Its open incidents are closed with it." },
  deleteHeartbeat: { unused: "Its active alert is resolved before it is removed." },
  deleteInhibition: { unused: "No resource refers to an inhibition." },
  deleteOnCallSchedule: { users: ["alert_rule"], isForcible: false },
  deleteOnCallOverride: { unused: "Without it, the layers of the schedule apply." },
  deleteSchedule: { unused: "No resource refers to a schedule." },
  deleteReport: { unused: "Its links are removed with it, and messages contain a copy." },
  revokeReportLink: { unused: "No resource refers to a link." },
  deleteLabel: { unused: "Existing reports contain a copy, and later ones use the next label." },
  unmuteCheck: { unused: "Without it, the check counts again." },
  removeDomainLink: { unused: "No resource refers to a link." },
  removeSuppression: { unused: "Without it, mail is sent again." },
  removeMember: { unused: "The last owner cannot be removed; keys that the member created stay." },
  revokeInvitation: { unused: "No resource refers to an invitation." },
  deleteAccount: { unused: "All data of the account is removed with it." },
  clearSandboxMessages: { unused: "No resource refers to captured mail." },
  removeTotp: { unused: "The last second factor that the account requires cannot be removed." },
  removePasskey: { unused: "The last second factor that the account requires cannot be removed." },
  unlinkIdentity: { unused: "The last sign-in method cannot be removed." },
  signOut: { unused: "No resource refers to a session." },
  endSession: { unused: "No resource refers to a session." },
  removeSandboxMessage: { unused: "No resource refers to captured mail." },
};

/** A resource to remove, with its name in texts. */
export interface RemovedResource {
  readonly kind:
    | "policy"
    | "watched_domain"
    | "client"
    | "domain"
    | "template"
    | "webhook"
    | "sender"
    | "on_call_schedule"
    | "alert_target";
  readonly name: string;
}

/** Decides whether a resource in use may be removed. */
export interface Removal {
  /** @throws Fault resource.in_use, unless it is forced */
  check(use: ResourceUse): void;
  /** Resources that stopped working, for the answer; empty: none. */
  answer(): { readonly use?: MessageInitShape<typeof ResourceUseSchema> };
}

export function createRemoval(resource: RemovedResource, { force }: { readonly force: boolean }): Removal {
  let found: ResourceUse | undefined;
  return {
    check: (use) => {
      if (use.count === 0) return;
      if (!force) throw fault("resource.in_use", { public: refusal(resource, use), use });
      found = use;
    },
    answer: () =>
      found ? { use: { users: found.users.map((user) => ({ ...user })), count: found.count } } : {},
  };
}

const MAX_IN_SENTENCE = 3;

const nouns: Readonly<Record<ResourceUser["kind"], string>> = {
  alert_rule: "alert rule",
  schedule: "report schedule",
  webhook: "webhook",
  key: "key",
  webhook_delivery: "waiting delivery",
};

function refusal({ kind, name }: RemovedResource, { users: all, count }: ResourceUse): FaultText {
  const users = all.slice(0, MAX_IN_SENTENCE).map((user) => `the ${nouns[user.kind]} "${user.name}"`);
  const more = count - users.length;
  return more > 0
    ? say(`${kind}_used_by_more`, { name, users, count: more })
    : say(`${kind}_used`, { name, users });
}
