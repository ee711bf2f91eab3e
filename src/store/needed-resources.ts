import type { ClientSession, Db } from "mongodb";
import { addressKey } from "../message/address/address-key.ts";
import { domainOf } from "../message/address/addresses.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";
import type { SenderDocument, TemplateDocument } from "./documents.ts";
import type { DomainDocument } from "./domain-document.ts";
import { intelCollections } from "./intel-collections.ts";
import type { OnCallScheduleDocument } from "./oncall-documents.ts";
import { POLICIES, type StoredPolicy } from "./sealing/sealed-policy.ts";
import type { StoredTarget } from "./sealing/sealed-target.ts";
import { TARGETS } from "./target-documents.ts";

/** Resources that a new or changed one needs. Missing: none of this kind. */
export interface NeededResources {
  readonly policy?: NamedResource | undefined;
  readonly template?: NamedResource | undefined;
  readonly onCallSchedules?: readonly NamedResource[] | undefined;
  /** Alert targets, by their ids. */
  readonly targets?: readonly NamedResource[] | undefined;
  /** Sender address. */
  readonly sender?: string | undefined;
  /** Ids. */
  readonly client?: string | undefined;
  readonly watch?: string | undefined;
}

export interface NamedResource {
  readonly name: string;
  /** JSON pointer to the referencing field. */
  readonly pointer: string;
}

/**
 * Verifies, in the transaction that stores a resource, that its needed resources still exist: earlier checks of the
 * core use settings that may be some seconds old.
 * @throws Fault policy.unknown, template.unknown, on_call_schedule.unknown, alert_target.unknown, sender.unverified, client.unknown, watched_domain.unknown
 */
export type RequireResources = (
  session: ClientSession,
  accountId: string,
  needed: NeededResources,
) => Promise<void>;

export function createRequireResources(db: Db): RequireResources {
  const policies = db.collection<StoredPolicy>(POLICIES);
  const templates = db.collection<TemplateDocument>("templates");
  const senders = db.collection<SenderDocument>("senders");
  const domains = db.collection<DomainDocument>("domains");
  const onCall = db.collection<OnCallScheduleDocument>("onCallSchedules");
  const alertTargets = db.collection<StoredTarget>(TARGETS);
  const { clients, domains: watched } = intelCollections(db);

  return async (session, accountId, needed) => {
    const { policy, template, onCallSchedules, targets = [], sender, client, watch } = needed;
    if (policy) {
      const present = { accountId, name: policy.name, retiredAt: { $exists: false } };
      if (!(await policies.findOne(present, { session })))
        throw unknown(policy.pointer, "policy.unknown", say("no_policy", { name: policy.name }));
    }
    if (template) {
      const present = { accountId, name: template.name, published: true };
      if (!(await templates.findOne(present, { session })))
        throw unknown(template.pointer, "template.unknown", say("no_template", { name: template.name }));
    }
    if (onCallSchedules && onCallSchedules.length > 0) {
      const names = onCallSchedules.map(({ name }) => name);
      const found = onCall.find({ accountId, name: { $in: names } }, { session, projection: { name: 1 } });
      const present = new Set((await found.toArray()).map(({ name }) => name));
      const missing = onCallSchedules.find(({ name }) => !present.has(name));
      if (missing) {
        const message = say("no_on_call_schedule", { name: missing.name });
        throw unknown(missing.pointer, "on_call_schedule.unknown", message);
      }
    }
    if (targets.length > 0) {
      const filter = { _id: { $in: targets.map(({ name }) => name) }, accountId };
      const found = await alertTargets.find(filter, { session, projection: { _id: 1 } }).toArray();
      const present = new Set(found.map(({ _id }) => _id));
      const missing = targets.find(({ name }) => !present.has(name));
      if (missing)
        throw unknown(
          missing.pointer,
          "alert_target.unknown",
          say("no_alert_target", { name: missing.name }),
        );
    }
    if (sender !== undefined) {
      const values = [addressKey(sender), domainOf(sender)];
      const verified = { accountId, value: { $in: values }, verifiedAt: { $exists: true } };
      const isPresent =
        (await senders.findOne(verified, { session })) ??
        (await domains.findOne({ accountId, name: domainOf(sender) }, { session }));
      if (!isPresent) throw fault("sender.unverified", { public: say("sender_unverified", { sender }) });
    }
    if (client !== undefined) {
      const found = await clients.findOne({ _id: client, accountId }, { session });
      if (found?.status !== "active") throw fault(found ? "client.archived" : "client.unknown");
    }
    if (watch !== undefined && !(await watched.findOne({ _id: watch, accountId }, { session })))
      throw fault("watched_domain.unknown");
  };
}

function unknown(
  pointer: string,
  code: "policy.unknown" | "template.unknown" | "on_call_schedule.unknown" | "alert_target.unknown",
  message: FaultText,
) {
  return validationFault([{ pointer, code, message }]);
}
