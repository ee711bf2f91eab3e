import type { MessageInitShape } from "@bufbuild/protobuf";
import type { WatchedDomainSchema } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { inParallel } from "../../shared/in-parallel.ts";
import type { ScorePointDocument, WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { IntelParts } from "./intel-parts.ts";
import { toChecks, toScorePoint, toWatchedDomain } from "./watch-to-proto.ts";

export interface Described {
  readonly account: AccountStore;
  readonly domains: readonly WatchedDomainDocument[];
  readonly intel: Pick<IntelParts, "lists" | "reportAddresses">;
  readonly now: Date;
  readonly withChecks?: boolean;
  readonly withHistory?: boolean;
}

const WEEK_MS = 7 * 86_400_000;
const MOST_AT_ONCE = 8;

/** Domains in the form of answers. */
export async function describeDomains(
  described: Described,
): Promise<MessageInitShape<typeof WatchedDomainSchema>[]> {
  const { account, domains, intel, now, withChecks = false, withHistory = false } = described;
  const { watches } = account;
  const weekAgo = new Date(now.getTime() - WEEK_MS);
  const points = new Map<string, ScorePointDocument | null>();
  const histories = new Map<string, readonly ScorePointDocument[]>();
  const [hosted, checks] = await Promise.all([
    account.domains.findNames(domains.map(({ name }) => name)),
    withChecks ? watches.findChecks(domains.map(({ _id }) => _id)) : undefined,
    inParallel(domains, MOST_AT_ONCE, async ({ _id, createdAt, score }) => {
      // A domain that was not watched then, or has no score now, has no score to compare.
      if (createdAt <= weekAgo && score !== null) points.set(_id, await watches.pointBefore(_id, weekAgo));
      if (withHistory) histories.set(_id, await watches.history(_id));
    }),
  ]);
  return domains.map((domain) => ({
    ...toWatchedDomain(domain, {
      isHosted: hosted.has(domain.name),
      pointBefore: points.get(domain._id) ?? null,
      reportAddresses: intel.reportAddresses,
      now,
    }),
    ...(withChecks && toChecks(domain, checks?.get(domain._id)?.checks ?? [], intel.lists, now)),
    history: (histories.get(domain._id) ?? []).map(toScorePoint),
  }));
}
