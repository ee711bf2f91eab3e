import { isIP } from "node:net";
import type { ClientSession, Db } from "mongodb";
import type { SubjectKind } from "../intel/blacklists/blacklist.ts";
import { intelCollections } from "./intel-collections.ts";
import type { WatchedDomainDocument } from "./intel-documents.ts";

/** A subject at a list. */
export interface ListedSubject {
  readonly listId: string;
  readonly subject: string;
}

export function stateKey({ listId, subject }: ListedSubject): string {
  return `${listId} ${subject}`;
}

export function subjectOf(key: string): ListedSubject & { readonly kind: SubjectKind } {
  const space = key.indexOf(" ");
  const subject = key.slice(space + 1);
  const kind = isIP(subject) === 0 ? "domain" : isIP(subject) === 4 ? "ip4" : "ip6";
  return { listId: key.slice(0, space), subject, kind };
}

/** Watched subjects of workspaces at lists. */
export function createSubjectWatches(db: Db) {
  const { states, watches } = intelCollections(db);

  return {
    /** Sets the subjects of a domain: new ones are scheduled for a check, and others are unwatched. */
    async watch(
      session: ClientSession,
      { accountId, workspaceId }: Pick<WatchedDomainDocument, "accountId" | "workspaceId">,
      before: readonly string[],
      after: readonly string[],
      now: Date,
    ): Promise<void> {
      const added = after.filter((key) => !before.includes(key));
      const gone = before.filter((key) => !after.includes(key));
      if (added.length > 0) {
        await states.bulkWrite(
          added.map((key) => ({
            updateOne: {
              filter: { _id: key },
              update: {
                $setOnInsert: { ...subjectOf(key), state: "pending" as const, dueAt: now },
                $inc: { additions: 1 },
              },
              upsert: true,
            },
          })),
          { session },
        );
        const known = await states.find({ _id: { $in: added } }, { session }).toArray();
        await watches.bulkWrite(
          known.map(({ _id: key, listId, subject, state }) => ({
            updateOne: {
              filter: { _id: `${workspaceId} ${key}`, accountId },
              update: {
                $setOnInsert: { workspaceId, key, listId, subject, state },
                $inc: { domains: 1 },
              },
              upsert: true,
            },
          })),
          { session },
        );
      }
      if (gone.length === 0) return;
      const ids = gone.map((key) => `${workspaceId} ${key}`);
      await watches.updateMany({ _id: { $in: ids }, accountId }, { $inc: { domains: -1 } }, { session });
      await watches.deleteMany({ _id: { $in: ids }, accountId, domains: { $lte: 0 } }, { session });
    },
  };
}
