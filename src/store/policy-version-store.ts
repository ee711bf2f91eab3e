import type { ClientSession, Db } from "mongodb";
import type { AuditActor } from "../shared/audit.ts";
import { authorOf, type PolicyDocument, revisionOf } from "./policy-document.ts";
import { openPolicy, type StoredPolicy, withoutPasswords } from "./sealing/sealed-policy.ts";
import { openVersion, sealVersion, type VersionedPolicy } from "./sealing/sealed-version.ts";
import type { Sealing } from "./sealing/sealing.ts";
import {
  createSettingVersions,
  type FoundVersion,
  type ListedVersion,
  type SettingState,
  type VersionPage,
} from "./setting-versions.ts";

/** A version of a policy. */
export interface PolicyVersion extends ListedVersion {
  /** The policy in this state. @throws Fault store.unavailable if a password cannot be decrypted */
  readonly open: () => PolicyDocument;
  /** The policy in this state, without passwords. */
  readonly shown: PolicyDocument;
}

/** Origin of a new version. */
interface Origin {
  /** Missing: the policy is new. */
  readonly former: StoredPolicy | undefined;
  readonly author: AuditActor;
  readonly restores: number | undefined;
}

export type PolicyVersions = ReturnType<typeof createPolicyVersionStore>;

/** Former and present states of policies. */
export function createPolicyVersionStore(db: Db, sealing: Sealing) {
  const versionsOf = createSettingVersions(db, "policy");

  const stateOf = (policy: Pick<StoredPolicy, "revision" | "updatedAt">, content: () => VersionedPolicy) => ({
    revision: revisionOf(policy),
    at: policy.updatedAt,
    contentOf: (versionId: string) => sealVersion(sealing, versionId, content()),
  });

  /** A password that cannot be decrypted is not kept: the policy can be replaced nevertheless. */
  function storedState(stored: StoredPolicy): SettingState {
    return stateOf(stored, () => {
      try {
        return contentOf(openPolicy(sealing, stored));
      } catch {
        const { sealedWith: _, ...rest } = stored;
        return contentOf(withoutPasswords(rest));
      }
    });
  }

  function versionOf(policy: PolicyDocument, { document, ...version }: FoundVersion): PolicyVersion {
    const { number, revision, at, author, restores, isCurrent, isUnrecorded } = version;
    const listed = { number, revision, at, author, restores, isCurrent, isUnrecorded };
    if (!document) return { ...listed, open: () => policy, shown: policy };
    const { _id, accountId, name, default: isDefault } = policy;
    const identity = { _id, accountId, default: isDefault, updatedAt: at, revision };
    return {
      ...listed,
      open: () => ({ ...openVersion(sealing, document), name, ...identity }),
      shown: { ...withoutPasswords(document.content as VersionedPolicy), name, ...identity },
    };
  }

  return {
    /** Records versions in the transactions that change policies. */
    recorder: (accountId: string) => {
      const versions = versionsOf(accountId);
      return {
        record: (session: ClientSession, policy: PolicyDocument, { former, ...origin }: Origin) =>
          versions.record(session, policy.name, {
            before: former && storedState(former),
            after: stateOf(policy, () => contentOf(policy)),
            ...origin,
          }),
        /** Keeps the versions of a deleted policy as long as the policy. */
        expire: (session: ClientSession, policy: StoredPolicy, expireAt: Date) =>
          versions.expire(session, policy.name, storedState(policy), expireAt),
      };
    },

    forAccount: (accountId: string) => {
      const versions = versionsOf(accountId);
      const presentOf = (policy: PolicyDocument) => ({ revision: revisionOf(policy), at: policy.updatedAt });
      return {
        /** Versions of this policy, the newest first. @param policy as read before */
        list: (policy: PolicyDocument, page: VersionPage): Promise<ListedVersion[]> =>
          versions.list(policy.name, presentOf(policy), page),

        /** @param number undefined: the present version. @returns undefined: there is no such version */
        async find(policy: PolicyDocument, number?: number): Promise<PolicyVersion | undefined> {
          const found = await versions.find(policy.name, presentOf(policy), number);
          return found && versionOf(policy, found);
        },

        /** As `find`, by the revision of the policy in that state. */
        async findRevision(policy: PolicyDocument, revision: string): Promise<PolicyVersion | undefined> {
          const found = await versions.findRevision(policy.name, presentOf(policy), revision);
          return found && versionOf(policy, found);
        },
      };
    },
  };
}

function contentOf(policy: Omit<PolicyDocument, "sealedWith">): VersionedPolicy {
  const { _id, accountId, default: _, revision, updatedAt, retiredAt, expireAt, ...content } = policy;
  return { ...content, storedBy: authorOf(policy) };
}
