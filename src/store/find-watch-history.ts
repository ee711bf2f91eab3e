import type { Collection } from "mongodb";
import { idBound } from "../shared/ids.ts";
import { MAX_HISTORY_POINTS } from "../shared/intel-retention.ts";
import type { ScorePointDocument, WatchChangeDocument } from "./intel-documents.ts";
import type { ListPage } from "./list-page.ts";
import { guarded } from "./store-fault.ts";

/** Filter of changes. Missing fields do not filter. */
export interface ChangeFilter {
  readonly domainId?: string | undefined;
  readonly clientId?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

/** Reads the scores and changes of an account's domains over time. */
export function createFindWatchHistory(
  points: Collection<ScorePointDocument>,
  changes: Collection<WatchChangeDocument>,
) {
  return (accountId: string) => ({
    /** The latest points of a domain since a time, the earliest first. */
    async history(domainId: string, since?: Date): Promise<ScorePointDocument[]> {
      const from = since && { at: { $gte: since } };
      const latest = points
        .find({ accountId, domainId, ...from })
        .sort({ at: -1 })
        .limit(MAX_HISTORY_POINTS);
      return (await guarded(latest.toArray())).reverse();
    },

    /** The last point until a time; null: there is none. */
    pointBefore: (domainId: string, at: Date): Promise<ScorePointDocument | null> =>
      guarded(points.findOne({ accountId, domainId, at: { $lte: at } }, { sort: { at: -1 } })),

    /** Changes of a domain since a time, the earliest first; at most the latest `most`. */
    async changesSince(workspaceId: string, domainId: string, since: Date, most: number) {
      const latest = changes
        .find({ accountId, workspaceId, domainId, at: { $gte: since } })
        .sort({ _id: -1 })
        .limit(most);
      return (await guarded(latest.toArray())).reverse();
    },

    /** Changes, the latest first. */
    listChanges: (workspaceId: string, filter: ChangeFilter, { after, limit }: ListPage) => {
      const { domainId, clientId, since, until } = filter;
      const end = after ?? (until && idBound("wch", until));
      const _id = { ...(since && { $gte: idBound("wch", since) }), ...(end !== undefined && { $lt: end }) };
      const asked = {
        accountId,
        workspaceId,
        ...(domainId !== undefined && { domainId }),
        ...(clientId !== undefined && { clientId }),
        ...(Object.keys(_id).length > 0 && { _id }),
      };
      return guarded(changes.find(asked).sort({ _id: -1 }).limit(limit).toArray());
    },
  });
}
