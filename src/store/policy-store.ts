import type { ClientSession, Db, Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { openPolicy, POLICIES, type StoredPolicy, sealPolicy } from "./sealing/sealed-policy.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** A policy before it is stored: its id follows from its account and its name. */
export type NewPolicy = Omit<PolicyDocument, "_id" | "accountId">;

export function createPolicyStore(db: Db, sealing: Sealing, log: AuditLog) {
  const policies = db.collection<StoredPolicy>(POLICIES);
  const open = (stored: StoredPolicy) => openPolicy(sealing, stored);

  async function findOne(filter: Filter<StoredPolicy>): Promise<PolicyDocument | null> {
    const stored = await guarded(policies.findOne(filter));
    return stored && open(stored);
  }

  /** What is compared for the audit log: a password that cannot be decrypted counts as another one. */
  function readable(stored: StoredPolicy): object {
    try {
      return open(stored);
    } catch {
      const { sealedWith: _, ...rest } = stored;
      return rest;
    }
  }

  async function noted(
    session: ClientSession,
    audit: Audit,
    before: object | undefined,
    after: PolicyDocument | StoredPolicy,
  ): Promise<void> {
    const target = { kind: "policy", id: after._id, name: after.name } as const;
    await log.changed(session, after.accountId, audit, { target, before, after });
  }

  return {
    forAccount: (accountId: string) => ({
      /**
       * Creates or replaces the policy of this name. A default takes the place of the former one in the same moment.
       * @param make the new policy, which may keep something of the former one; called again when another writer was faster
       */
      async replace(
        name: string,
        make: (former: () => PolicyDocument | undefined) => NewPolicy,
        audit: Audit,
      ): Promise<PolicyDocument> {
        const replacing = inTransaction(
          db.client,
          async (session) => {
            const former = await policies.findOne({ accountId, name }, { session });
            const content = make(() => (former ? open(former) : undefined));
            const policy = { ...content, _id: `${accountId}.${content.name}`, accountId };
            if (policy.default) {
              const others = { accountId, default: true, name: { $ne: name } };
              for (const other of await policies.find(others, { session }).toArray()) {
                const { sealedWith: _, ...before } = other;
                await noted(session, audit, before, { ...before, default: false });
              }
              await policies.updateMany(others, { $set: { default: false } }, { session });
            }
            // Replaced, not changed: what the new one leaves out is gone.
            await policies.replaceOne({ accountId, name }, sealPolicy(sealing, policy), {
              upsert: true,
              session,
            });
            await noted(session, audit, former ? readable(former) : undefined, policy);
            return policy;
          },
          { retryDuplicates: true },
        );
        return guarded(replacing);
      },

      find: (name: string) => findOne({ accountId, name }),
      findDefault: () => findOne({ accountId, default: true }),

      /** By name. */
      async list(page: ListPage): Promise<PolicyDocument[]> {
        const found = policies
          .find(afterPage(accountId, page, "name"))
          .sort({ name: 1 })
          .limit(page.limit);
        return (await guarded(found.toArray())).map(open);
      },
    }),
  };
}
