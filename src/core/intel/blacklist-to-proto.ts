import { isIP } from "node:net";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { BlacklistStatusSchema } from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import type { Blacklist } from "../../intel/blacklists/blacklist.ts";
import { isOpen, type ListChoice } from "../../intel/blacklists/open-lists.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { BlacklistStateDocument } from "../../store/intel-documents.ts";

/** State of a subject at a blacklist, as a workspace sees it. */
export interface WatchedSubject {
  readonly subject: string;
  readonly choice: ListChoice;
  /** undefined: no result is stored yet. */
  readonly known: BlacklistStateDocument | undefined;
  readonly domainIds: readonly string[];
}

const MAX_DOMAIN_IDS = 100;

export function toBlacklistStatus(watched: WatchedSubject): MessageInitShape<typeof BlacklistStatusSchema> {
  const { subject, choice, known, domainIds } = watched;
  const common = {
    subject,
    kind: isIP(subject) === 0 ? "domain" : "ip",
    list: toList(choice.list),
    domainIds: domainIds.slice(0, MAX_DOMAIN_IDS),
    delistUrl: choice.list.delistUrl,
  };
  if (!isOpen(choice)) return { ...common, state: "not_configured", reason: choice.notConfigured };
  const { standing, dueAt, state = "pending" } = known ?? {};
  const { listing, last } = standing ?? {};
  const isListed = state === "listed" && listing !== undefined;
  return {
    ...common,
    state,
    codes: isListed ? listing.codes.map((code) => ({ ...code })) : [],
    ...withoutUndefined({
      txt: isListed ? listing.text : undefined,
      reason: state === "listed" || state === "clean" ? undefined : last?.reason,
      firstSeenAt: listing && timestampFromDate(listing.firstSeenAt),
      lastSeenAt: listing && timestampFromDate(listing.lastSeenAt),
      checkedAt: last && timestampFromDate(last.at),
      nextCheckAt: dueAt && timestampFromDate(dueAt),
    }),
  };
}

export function toList({ id, name, zone, weight, terms }: Blacklist) {
  return { id, name, zone, weight, termsUrl: terms.url };
}
