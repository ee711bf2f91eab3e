import { noticeEventId } from "../../../alerts/notice.ts";
import { digestBody, noticeBody } from "../../../alerts/notify/compose-post.ts";
import { targetText } from "../../../alerts/notify/target.ts";
import type { Store } from "../../../store/store.ts";
import type { TargetDeliveryType, TargetDocument } from "../../../store/target-documents.ts";
import type { RuleSets } from "../rule-sets.ts";
import type { LinkOf, Notifier } from "./notifier.ts";

export interface TargetNotifierOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly ruleSets: RuleSets;
  readonly linkOf: LinkOf;
}

/** Retention of deliveries. An ended one may get a shorter one. */
const KEPT_MS = 30 * 86_400_000;

/** Stores the deliveries of notices to alert targets, with their bodies. A worker sends them. */
export function createTargetNotifier({ store, ruleSets, linkOf }: TargetNotifierOptions): Notifier {
  const actorOf = ({ _id: id, kind, name }: TargetDocument) => targetText({ kind, id, name });

  /** Fields that all deliveries to a target have. */
  const deliveryTo = (target: TargetDocument, type: TargetDeliveryType, at: Date) => ({
    endpointId: target._id,
    targetName: target.name,
    targetKind: target.kind,
    type,
    at,
    expireAt: new Date(at.getTime() + KEPT_MS),
  });

  return {
    async notice(incident, notice) {
      const { posts = [], at, number } = notice;
      if (posts.length === 0) return [];
      const { accountId, _id: incidentId, ruleName } = incident;
      const account = store.forAccount(accountId);
      const found = await account.targets.findByIds(posts.map(({ targetId }) => targetId));
      const targets = new Map(found.map((target) => [target._id, target]));
      const { zone } = ruleSets.notifyOf(incident);
      const added = posts.flatMap(({ targetId, eventId }) => {
        const target = targets.get(targetId);
        if (!target) return [];
        const link = linkOf({ accountId, incidentId, at }, actorOf(target));
        const body = noticeBody(target.kind, { accountId, eventId, zone, incident, notice, link });
        return [
          { ...deliveryTo(target, "incident.notice", at), eventId, ruleName, incidentId, number, body },
        ];
      });
      await account.targetDeliveries.add(added);
      return posts.flatMap(({ targetId }) =>
        targets.has(targetId) ? [] : [`the alert target ${targetId} was removed`],
      );
    },

    async digest(limit, digest, ruleName) {
      const { _id, accountId, recipient } = limit;
      const { at, number } = digest;
      const account = store.forAccount(accountId);
      const [target] = await account.targets.findByIds([recipient]);
      if (!target) return [`the alert target ${recipient} was removed`];
      const eventId = noticeEventId(at, _id, number);
      const { zone } = ruleSets.notifyOf(limit);
      const body = digestBody(target.kind, {
        accountId,
        eventId,
        zone,
        ruleName,
        digest,
        linkOf: (incidentId) => linkOf({ accountId, incidentId, at }, actorOf(target)),
      });
      await account.targetDeliveries.add([
        { ...deliveryTo(target, "incident.digest", at), eventId, ruleName, number, body },
      ]);
      return [];
    },
  };
}
