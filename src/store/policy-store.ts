import type { ClientSession, Db, Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { authorOf, type PolicyAuthor, type PolicyDocument, revisionOf } from "./policy-document.ts";
import type { PolicyVersions } from "./policy-version-store.ts";
import type { CheckUse, ResourceUsers } from "./resource-users.ts";
import { openPolicy, POLICIES, type StoredPolicy, sealPolicy } from "./sealing/sealed-policy.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";

/** A policy before it is stored. Its id is derived from its account and its name. */
export type NewPolicy = Omit<PolicyDocument, "_id" | "accountId">;

/** A policy before its replacement or deletion. */
export interface FormerPolicy {
  readonly default: boolean;
  /** See `authorOf`. */
  readonly storedBy: PolicyAuthor;
  /** See `revisionOf`. */
  readonly revision: string;
  /** The complete policy. @throws Fault store.unavailable if a password cannot be decrypted */
  readonly open: () => PolicyDocument;
}

/** Excludes deleted policies, which stay for waiting messages only. */
const NOT_RETIRED = { retiredAt: { $exists: false } };

/** Maximum number of policies, including deleted ones that still exist. */
export const MAX_POLICIES = 1_000;

export function createPolicyStore(
  db: Db,
  sealing: Sealing,
  writes: AuditedWrites,
  { users, versions }: { readonly users: ResourceUsers; readonly versions: Pick<PolicyVersions, "recorder"> },
) {
  const policies = db.collection<StoredPolicy>(POLICIES);
  const { note } = writes.entriesOf("policy");
  const open = (stored: StoredPolicy) => openPolicy(sealing, stored);

  async function findOne(filter: Filter<StoredPolicy>): Promise<PolicyDocument | null> {
    const stored = await guarded(policies.findOne(filter));
    return stored && open(stored);
  }

  /** Policy for comparison in the audit log. A password that cannot be decrypted counts as changed. */
  function readable(stored: StoredPolicy): Omit<StoredPolicy, "sealedWith"> {
    try {
      return open(stored);
    } catch {
      const { sealedWith: _, ...rest } = stored;
      return rest;
    }
  }

  const formerOf = (stored: StoredPolicy): FormerPolicy => ({
    default: stored.default,
    storedBy: authorOf(stored),
    revision: revisionOf(stored),
    open: () => open(stored),
  });

  return {
    forAccount: (accountId: string) => {
      const recorder = versions.recorder(accountId);
      const find = (session: ClientSession, name: string) =>
        policies.findOne({ accountId, name, ...NOT_RETIRED }, { session });

      async function endOtherDefaults(session: ClientSession, name: string, audit: Audit): Promise<void> {
        const others = { accountId, default: true, name: { $ne: name } };
        for (const other of await policies.find(others, { session }).toArray()) {
          const { sealedWith: _, ...before } = other;
          await note(session, audit, before, { ...before, default: false });
        }
        await policies.updateMany(others, { $set: { default: false } }, { session });
      }

      /** @throws Fault policy.too_many */
      async function checkCapacity(session: ClientSession): Promise<void> {
        const count = await policies.countDocuments({ accountId }, { limit: MAX_POLICIES, session });
        if (count === MAX_POLICIES) throw fault("policy.too_many");
      }

      return {
        /**
         * Number of policies that count against the limit, at most `most`. It includes deleted ones that messages may
         * need.
         */
        count: (most: number) => guarded(policies.countDocuments({ accountId }, { limit: most })),

        /**
         * Creates or replaces the policy with this name. A new default replaces the former one atomically.
         * @param make returns the new policy, which may keep parts of the former one; called again on a conflict. If
         * it throws, nothing is changed.
         * @param restores number of the version with this content; missing: none
         * @throws Fault policy.too_many
         */
        replace: (
          name: string,
          make: (former: FormerPolicy | undefined) => NewPolicy,
          audit: Audit,
          restores?: number,
        ): Promise<PolicyDocument> =>
          writes.transact(async (session) => {
            const former = await find(session, name);
            const content = make(former ? formerOf(former) : undefined);
            if (!former) await checkCapacity(session);
            const policy = { ...content, _id: `${accountId}.${content.name}`, accountId };
            if (policy.default) await endOtherDefaults(session, name, audit);
            // A replacement, so that fields missing in the new policy are removed.
            await policies.replaceOne({ accountId, name }, sealPolicy(sealing, policy), {
              upsert: true,
              session,
            });
            const author = audit.actor;
            await recorder.record(session, policy, { former: former ?? undefined, author, restores });
            await note(session, audit, former ? readable(former) : undefined, policy);
            return policy;
          }),

        /**
         * Makes a policy the default, and replaces the former default atomically; null: there is none with this name.
         * @param check throws if the change is not allowed
         */
        makeDefault: (
          name: string,
          check: (former: FormerPolicy) => void,
          audit: Audit,
        ): Promise<PolicyDocument | null> =>
          writes.transact(async (session) => {
            const former = await find(session, name);
            if (former) check(formerOf(former));
            if (!former || former.default) return former && open(former);
            await endOtherDefaults(session, name, audit);
            await policies.updateOne({ accountId, name }, { $set: { default: true } }, { session });
            const { sealedWith: _, ...before } = former;
            await note(session, audit, before, { ...before, default: true });
            return open({ ...former, default: true });
          }),

        /**
         * Deletes a policy: no new message can use it. Waiting messages continue to use it until `expireAt`.
         * @param retirement its checks throw if the deletion is not allowed
         * @returns false: there is none with this name
         */
        retire: (
          name: string,
          { at, expireAt, check, checkUse }: Retirement,
          audit: Audit,
        ): Promise<boolean> =>
          writes.transact(async (session) => {
            await users.exclude(session, accountId);
            const former = await find(session, name);
            if (!former) return false;
            check(formerOf(former));
            const use = await users.ofPolicy(session, accountId, name);
            checkUse?.(use);
            const $set = { retiredAt: at, expireAt, default: false };
            await policies.updateOne({ accountId, name }, { $set }, { session });
            await recorder.expire(session, former, expireAt);
            const { sealedWith: _, ...before } = former;
            await note(session, audit, before, undefined, { use });
            return true;
          }),

        find: (name: string) => findOne({ accountId, name, ...NOT_RETIRED }),
        /** Also finds a deleted policy. */
        findOfMessage: (name: string) => findOne({ accountId, name }),
        findDefault: () => findOne({ accountId, default: true }),

        /** By name. */
        async list(page: ListPage): Promise<PolicyDocument[]> {
          return (await readPage(policies, { accountId, ...NOT_RETIRED }, page, "name")).map(open);
        },
      };
    },
  };
}

/** Deletion of a policy. */
export interface Retirement {
  readonly at: Date;
  /** Time from which on no message can need it. */
  readonly expireAt: Date;
  readonly check: (former: FormerPolicy) => void;
  readonly checkUse?: CheckUse;
}
