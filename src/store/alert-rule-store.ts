import type { ClientSession, Db } from "mongodb";
import type { Inhibition, Silence } from "../alerts/mutes.ts";
import type { RuleSettings } from "../alerts/rule.ts";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";
import type { AlertRuleDocument, AlertRuleSetDocument, AlertRuleVersionDocument } from "./alert-documents.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision, contentRevision } from "./content-revision.ts";
import { incidentCollections, wakeUpdate } from "./incident-collections.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { createRequireResources, type NeededResources } from "./needed-resources.ts";
import type { PlainVersions } from "./plain-versions.ts";
import type { ResourceUsers } from "./resource-users.ts";
import { inhibitionRevision } from "./revisions.ts";
import { createSilenceWrites } from "./silence-writes.ts";
import { guarded } from "./store-fault.ts";

export const MAX_RULES = 2_000;
export const MAX_INHIBITIONS = 100;

/** The rules, silences and inhibitions of an account, read in one snapshot. */
export interface AlertRuleSet {
  readonly revision: number;
  readonly rules: readonly AlertRuleDocument[];
  /** Silences that have not ended. */
  readonly silences: readonly Silence[];
  readonly inhibitions: readonly Inhibition[];
}

/** An inhibition before its creation. */
export type NewInhibition = Pick<Inhibition, "name" | "source" | "target" | "equal">;

/** A version of a rule. */
export interface OfVersion {
  readonly ruleId: string;
  readonly ruleVersion: number;
}

export const ruleVersionId = (ruleId: string, version: number) => `${ruleId}.${version}`;

/** Each change of a rule creates a new version. A rule that is created again after removal has another id. */
export const ruleRevision = ({ _id, version }: Pick<AlertRuleDocument, "_id" | "version">) =>
  ruleVersionId(_id, version);

export const ruleVersionIds = (of: readonly OfVersion[]) => [
  ...new Set(of.map(({ ruleId, ruleVersion }) => ruleVersionId(ruleId, ruleVersion))),
];

interface Parts {
  readonly users: ResourceUsers;
  readonly ruleVersions: Pick<PlainVersions<AlertRuleDocument, object>, "recorder">;
  readonly inhibitionVersions: Pick<PlainVersions<Inhibition, object>, "recorder">;
}

/**
 * Rules, silences and inhibitions. Each change increases the revision of the rule set, so that concurrent changes
 * exclude each other.
 */
export function createAlertRuleStore(db: Db, writes: AuditedWrites, { users, ...recorders }: Parts) {
  const requireResources = createRequireResources(db);
  const { ruleSets, rules, versions, silences, inhibitions, incidents } = incidentCollections(db);
  const auditedRules = writes.of("alert_rule", rules);
  const auditedInhibitions = writes.of("inhibition", inhibitions);

  return {
    forAccount: (accountId: string) => {
      const ruleVersions = recorders.ruleVersions.recorder(accountId);
      const inhibitionVersions = recorders.inhibitionVersions.recorder(accountId);

      /** Increases the revision of the rule set, and returns it. */
      async function nextRevision(session: ClientSession): Promise<number> {
        const options = { session, upsert: true, returnDocument: "after" } as const;
        const update = { $inc: { revision: 1 } };
        const ruleSet = await ruleSets.findOneAndUpdate({ _id: accountId, accountId }, update, options);
        return (ruleSet as AlertRuleSetDocument).revision;
      }

      /**
       * Suppressed incidents are evaluated again: the reason for the suppression may be gone. An incident in quiet hours can also
       * hold news of a silenced alert.
       */
      async function wakeHeld(session: ClientSession, now: Date): Promise<void> {
        const held = { accountId, heldBy: { $in: ["silenced", "inhibited", "quiet_hours"] as const } };
        await incidents.updateMany({ ...held, open: true }, wakeUpdate(now), { session });
      }

      async function setStopped(session: ClientSession, ruleId: string, isStopped: boolean): Promise<void> {
        const filter = { accountId, ruleId, open: true as const };
        const change = isStopped
          ? { $set: { stopped: true as const } }
          : { $unset: { stopped: "" as const }, $set: { dueAt: new Date() } };
        await incidents.updateMany(filter, { ...change, $inc: { revision: 1 } }, { session });
      }

      async function close(session: ClientSession, ruleId: string, version: number, to: number) {
        const _id = ruleVersionId(ruleId, version);
        await versions.updateOne({ _id, accountId }, { $set: { to } }, { session });
      }

      return {
        ...createSilenceWrites({ accountId, db, writes, nextRevision, wakeHeld }),

        /** Revision of the rule set; 0: it never changed. */
        async revision(): Promise<number> {
          return (await guarded(ruleSets.findOne({ _id: accountId, accountId })))?.revision ?? 0;
        },

        /** Reads the whole rule set in one snapshot. */
        ruleSet: (now: Date): Promise<AlertRuleSet> =>
          writes.transact(async (session) => {
            const revision =
              (await ruleSets.findOne({ _id: accountId, accountId }, { session }))?.revision ?? 0;
            const found = {
              rules: rules.find({ accountId }, { session }).sort({ name: 1 }),
              once: silences.find({ accountId, endsAt: { $gt: now } }, { session }).sort({ endsAt: 1 }),
              weekly: silences
                .find({ accountId, recursUntil: { $gt: now } }, { session })
                .sort({ recursUntil: 1 }),
              inhibitions: inhibitions.find({ accountId }, { session }).sort({ name: 1 }),
            };
            return {
              revision,
              rules: await found.rules.toArray(),
              silences: [...(await found.once.toArray()), ...(await found.weekly.toArray())],
              inhibitions: await found.inhibitions.toArray(),
            };
          }),

        /** Number of rules, at most `most`. */
        count: (most: number) => guarded(rules.countDocuments({ accountId }, { limit: most })),

        /**
         * Creates a rule, or a new version of the rule with this name.
         * @param ifRevision the revision on which the change is based, or `none`; undefined: any
         * @param restores number of the version with these settings: the rule must exist; missing: none
         * @throws Fault alert_rule.too_many, alert_rule.unknown, resource.stale, and for a missing referenced resource
         */
        put: (
          settings: RuleSettings,
          audit: Audit,
          ifRevision?: string,
          needed: NeededResources = {},
          restores?: number,
        ): Promise<{ readonly rule: AlertRuleDocument; readonly isNew: boolean }> =>
          writes.transact(async (session) => {
            const { name } = settings;
            await users.exclude(session, accountId);
            await requireResources(session, accountId, needed);
            const before = await rules.findOne({ accountId, name }, { session });
            if (!before && restores !== undefined) throw fault("alert_rule.unknown");
            checkRevision(ifRevision, before ? ruleRevision(before) : undefined);
            if (before && contentRevision(before.settings) === contentRevision(settings))
              return { rule: before, isNew: false };
            const at = audit.now();
            const revision = await nextRevision(session);
            const options = { session, limit: MAX_RULES };
            if (!before && (await rules.countDocuments({ accountId }, options)) >= MAX_RULES)
              throw fault("alert_rule.too_many");
            const rule: AlertRuleDocument = {
              _id: before?._id ?? newId("rul", at),
              accountId,
              name,
              version: (before?.version ?? 0) + 1,
              settings,
              createdAt: before?.createdAt ?? at,
              updatedAt: at,
            };
            const { _id: ruleId, version } = rule;
            if (before) await close(session, ruleId, before.version, revision);
            await versions.insertOne(
              {
                _id: ruleVersionId(ruleId, version),
                accountId,
                ruleId,
                version,
                settings,
                createdAt: at,
                from: revision,
              },
              { session },
            );
            if (before) await auditedRules.update(session, audit, before, rule);
            else await auditedRules.insert(session, audit, rule);
            const origin = { former: before ?? undefined, author: audit.actor, restores };
            await ruleVersions.record(session, rule, origin);
            if (before && before.settings.enabled !== settings.enabled)
              await setStopped(session, ruleId, !settings.enabled);
            return { rule, isNew: !before };
          }),

        find: (name: string) => guarded(rules.findOne({ accountId, name })),

        /** By name. */
        list: (page: ListPage) => readPage(rules, { accountId }, page, "name"),

        /** Existing versions of rules, unordered. */
        ruleVersions: (of: readonly OfVersion[]) =>
          guarded(versions.find({ _id: { $in: ruleVersionIds(of) }, accountId }).toArray()),

        /** Rule versions of the rule set at a revision. */
        async versionsAt(revision: number): Promise<AlertRuleVersionDocument[]> {
          const before = { accountId, from: { $lte: revision } };
          const past = versions.find({ accountId, to: { $gt: revision }, from: before.from }).toArray();
          const current = versions.find({ ...before, to: { $exists: false } }).toArray();
          return [...(await guarded(past)), ...(await guarded(current))];
        },

        /** Removes a rule and closes its open incidents without notification. False: there is no such rule. */
        remove: (name: string, audit: Audit, ifRevision?: string): Promise<boolean> =>
          writes.transact(async (session) => {
            const before = await rules.findOne({ accountId, name }, { session });
            if (!before) return false;
            checkRevision(ifRevision, ruleRevision(before));
            const revision = await nextRevision(session);
            await auditedRules.remove(session, audit, before);
            await ruleVersions.expire(session, before, audit.now());
            await close(session, before._id, before.version, revision);
            await incidents.updateMany(
              { accountId, ruleId: before._id, open: true },
              { $set: { stopped: true, ruleRemoved: true, dueAt: audit.now() }, $inc: { revision: 1 } },
              { session },
            );
            return true;
          }),

        /**
         * Creates an inhibition, or replaces the one with this name. Equal content changes nothing.
         * @param ifRevision the revision on which the change is based, or `none`; undefined: any
         * @param restores number of the version with this content: the inhibition must exist; missing: none
         * @throws Fault inhibition.too_many, inhibition.unknown, resource.stale
         */
        putInhibition: (
          settings: NewInhibition,
          audit: Audit,
          ifRevision?: string,
          restores?: number,
        ): Promise<Inhibition> =>
          writes.transact(async (session) => {
            const before = await inhibitions.findOne({ accountId, name: settings.name }, { session });
            if (!before && restores !== undefined) throw fault("inhibition.unknown");
            checkRevision(ifRevision, before ? inhibitionRevision(before) : undefined);
            if (before && inhibitionRevision(before) === inhibitionRevision(settings)) return before;
            const at = audit.now();
            await nextRevision(session);
            const options = { session, limit: MAX_INHIBITIONS };
            const count = await inhibitions.countDocuments({ accountId }, options);
            if (!before && count >= MAX_INHIBITIONS) throw fault("inhibition.too_many");
            const _id = before?._id ?? newId("inh", at);
            const after = { _id, accountId, ...settings, createdAt: before?.createdAt ?? at, updatedAt: at };
            if (before) await auditedInhibitions.update(session, audit, before, after);
            else await auditedInhibitions.insert(session, audit, after);
            const origin = { former: before ?? undefined, author: audit.actor, restores };
            await inhibitionVersions.record(session, after, origin);
            await wakeHeld(session, at);
            return after;
          }),

        findInhibition: (name: string) => guarded(inhibitions.findOne({ accountId, name })),

        /** By name. */
        listInhibitions: () => guarded(inhibitions.find({ accountId }).sort({ name: 1 }).toArray()),

        /** False: there is no such inhibition. */
        removeInhibition: (name: string, audit: Audit, ifRevision?: string): Promise<boolean> =>
          writes.transact(async (session) => {
            const before = await inhibitions.findOne({ accountId, name }, { session });
            if (!before) return false;
            checkRevision(ifRevision, inhibitionRevision(before));
            await auditedInhibitions.remove(session, audit, before);
            await inhibitionVersions.expire(session, before, audit.now());
            await nextRevision(session);
            await wakeHeld(session, audit.now());
            return true;
          }),
      };
    },
  };
}
