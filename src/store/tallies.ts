import type { ClientSession, Collection, Db } from "mongodb";
import { INTEL_RETENTION_MS } from "../shared/intel-retention.ts";
import { utcDay } from "../shared/utc-day.ts";
import { intelCollections } from "./intel-collections.ts";
import type { DomainTally, WatchedDomainDocument } from "./intel-documents.ts";
import { type ScoreDayDocument, scoreDayId } from "./score-day-document.ts";
import { guarded } from "./store-fault.ts";
import { type Counted, tallyUpdate } from "./tally.ts";

/** Workspace or client of a domain. */
interface Scope {
  readonly _id: string;
  readonly accountId: string;
  readonly tally: DomainTally;
}

type IdRange = { readonly $gte: string } & ({ readonly $lt: string } | { readonly $lte: string });

/** A change of a domain that its workspace and client count. */
export interface CountedChange {
  readonly of: Pick<WatchedDomainDocument, "accountId" | "workspaceId" | "clientId">;
  /** Missing: the domain is added. */
  readonly before?: Counted | undefined;
  /** Missing: the domain is removed. */
  readonly after?: Counted | undefined;
  readonly at: Date;
  /** Model of the score of a check. Missing: the change is no check. */
  readonly scoreModel?: string | null;
}

/** Sums of workspaces and clients: the present ones, and those at the end of each day. */
export function createTallies(db: Db) {
  const { workspaces, clients, scoreDays } = intelCollections(db);

  /** Changes the sums of the domain's workspace and client. The present sums become those of the day. */
  async function count(session: ClientSession, change: CountedChange): Promise<void> {
    const { of, before, after, at, scoreModel } = change;
    const { accountId, workspaceId, clientId } = of;
    const update = tallyUpdate(before, after);
    if (!update) return;
    const expireAt = new Date(at.getTime() + INTEL_RETENTION_MS);
    for (const [collection, _id] of [
      [workspaces, workspaceId],
      [clients, clientId],
    ] as const) {
      const scopes = collection as unknown as Collection<Scope>;
      // A workspace and a client are written before their days, so that concurrent changes do not both create one.
      const scope = await scopes.findOneAndUpdate({ _id, accountId }, update, {
        session,
        returnDocument: "after",
      });
      if (!scope) continue;
      const { tally } = scope;
      await scoreDays.updateOne(
        { _id: scoreDayId(_id, utcDay(at)), accountId },
        { $set: { tally, ...(scoreModel && { scoreModel }) }, $setOnInsert: { expireAt } },
        { session, upsert: true },
      );
    }
  }

  return {
    count,

    forAccount: (accountId: string) => ({
      /**
       * The days of a workspace or client that have sums, in order, both inclusive, and the last one before them.
       * @param first such as `2026-03-01`
       */
      async scoreDays(scopeId: string, first: string, last: string): Promise<ScoreDayDocument[]> {
        const [from, until] = [scoreDayId(scopeId, first), scoreDayId(scopeId, last)];
        const find = (_id: IdRange, order: 1 | -1, most: number) =>
          guarded(scoreDays.find({ accountId, _id }).sort({ _id: order }).limit(most).toArray());
        const [before, within] = await Promise.all([
          find({ $gte: scoreDayId(scopeId, ""), $lt: from }, -1, 1),
          find({ $gte: from, $lte: until }, 1, MAX_DAYS),
        ]);
        return [...before, ...within];
      },
    }),
  };
}

/** More than the days of the retention. */
const MAX_DAYS = 500;
