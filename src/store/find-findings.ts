import type { Collection } from "mongodb";
import type { WatchedDomainDocument } from "./intel-documents.ts";
import { guarded } from "./store-fault.ts";

/** Number of domains that are read at once. */
const PAGE = 1_000;

/** Part of a workspace: its domains, or those of one client. */
export interface WatchScope {
  readonly workspaceId: string;
  /** Missing: all clients. */
  readonly clientId?: string | undefined;
}

const SCOPED = {
  name: 1,
  clientId: 1,
  role: 1,
  paused: 1,
  score: 1,
  mutes: 1,
  findingIds: 1,
  repairs: 1,
  reportedAt: 1,
} as const;
/** A domain of a scope, without what lists show of it. */
export type ScopedDomain = Pick<WatchedDomainDocument, keyof typeof SCOPED | "_id">;

const MUTED = { name: 1, clientId: 1, mutes: 1 } as const;
/** A domain with its mutes. */
export type MutedDomain = Pick<WatchedDomainDocument, keyof typeof MUTED | "_id">;

/** Reads findings and mutes over the domains of an account. A workspace has at most 10,000 of them. */
export function createFindFindings(domains: Collection<WatchedDomainDocument>) {
  return (accountId: string) => ({
    /**
     * Passes the domains of a scope to a callback, page by page and by name.
     * @param checkId only domains on which this check is a finding; undefined: all
     */
    async eachOfScope(
      { workspaceId, clientId }: WatchScope,
      checkId: string | undefined,
      use: (page: readonly ScopedDomain[]) => Promise<void>,
    ): Promise<void> {
      for (let after = ""; ; ) {
        const filter = {
          accountId,
          workspaceId,
          ...(clientId !== undefined && { clientId }),
          ...(checkId !== undefined && { findingIds: checkId }),
          name: { $gt: after },
        };
        const found = domains
          .find<ScopedDomain>(filter, { projection: SCOPED })
          .sort({ name: 1 })
          .limit(PAGE);
        const page = await guarded(found.toArray());
        await use(page);
        const last = page.at(-1);
        if (!last || page.length < PAGE) return;
        after = last.name;
      }
    },

    /** The domains of a scope with a mute that ends after a time, in any order. */
    async listMuted({ workspaceId, clientId }: WatchScope, now: Date): Promise<MutedDomain[]> {
      const filter = {
        accountId,
        workspaceId,
        ...(clientId !== undefined && { clientId }),
        "mutes.until": { $gt: now },
      };
      return guarded(domains.find<MutedDomain>(filter, { projection: MUTED }).toArray());
    },
  });
}
