import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { ListSuppressionsRequest } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { parseDomain } from "../../message/address/senders.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { SuppressionDocument } from "../../store/documents.ts";
import type { ListPage } from "../../store/list-page.ts";
import type { AccountStore } from "../../store/store.ts";
import type { SuppressionFilter } from "../../store/suppression-page.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readAddressField, readReason } from "./read-suppression.ts";

/** Ids are never longer. */
const MAX_ID_LENGTH = 100;

export type FilterRequest = Pick<
  ListSuppressionsRequest,
  "address" | "reason" | "domain" | "policy" | "accountWide" | "messageId"
> & { readonly from?: Timestamp | undefined; readonly until?: Timestamp | undefined };

/** Filter of entries, including their start. */
export interface EntryFilter extends SuppressionFilter {
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** @throws Fault request.validation_failed with all errors */
export function readFilter(request: FilterRequest): EntryFilter {
  const { reason, policy, accountWide, messageId } = request;
  const faults = createFieldFaults();
  if (accountWide && policy !== "") {
    const message = say("entry_one_routing_policy_all_mail");
    faults.add("/policy", "field.conflict", message);
  }
  if (messageId.length > MAX_ID_LENGTH) {
    faults.add("/message_id", "field.too_long", say("no_id"));
  }
  const [from, until] = [request.from, request.until].map((time) => time && timestampDate(time));
  if (from && until && from >= until) {
    faults.add("/until", "field.invalid", say("until_after_from"));
  }
  const filter = {
    addressKey: request.address === "" ? undefined : readAddressField(request.address, faults)?.addressKey,
    domain: request.domain === "" ? undefined : readDomain(request.domain, faults),
    reason: reason === "" ? undefined : readReason(reason, faults),
    policy: accountWide ? null : policy || undefined,
    messageId: messageId || undefined,
    from,
    until,
  };
  if (faults.found.length > 0) throw validationFault(faults.found);
  return filter;
}

function readDomain(text: string, faults: FieldFaults): string | undefined {
  const result = parseDomain(text.replace(/^\*?@/, ""));
  if (result.ok) return result.domain;
  faults.add("/domain", result.code, result.message);
  return undefined;
}

/** Search for the entries of a filter. */
export interface EntrySearch {
  /** Entries after a position that include all matching ones. */
  readonly read: (
    suppressions: AccountStore["suppressions"],
    page: ListPage,
  ) => Promise<SuppressionDocument[]>;
  /** Missing: all entries match. */
  readonly matches?: (entry: SuppressionDocument) => boolean;
  readonly cursorOf: (entry: SuppressionDocument) => string;
}

/**
 * By address, with an index for each filter. A filter with a time is read by time, newest first, and the other
 * criteria are applied to the entries.
 */
export function searchFor(filter: EntryFilter, now: Date): EntrySearch {
  const { from, until, reason } = filter;
  const idOf = ({ _id, accountId }: SuppressionDocument) => _id.slice(accountId.length + 1);
  if (!from && !until) {
    return { read: (suppressions, page) => suppressions.list({ ...page, now, ...filter }), cursorOf: idOf };
  }
  return {
    read: (suppressions, { after, limit }) =>
      suppressions.listByTime({ reason, from, until, after: readTimeCursor(after), limit, now }),
    matches: (entry) => isFound(entry, filter),
    cursorOf: (entry) => `${entry.createdAt.getTime()}:${idOf(entry)}`,
  };
}

function readTimeCursor(cursor: string | undefined) {
  const [, ms = "", id = ""] = /^(\d{1,15}):(.+)$/.exec(cursor ?? "") ?? [];
  return ms === "" ? undefined : { createdAt: new Date(Number(ms)), id };
}

/** Whether a filter matches an unexpired entry. */
export function isFound(entry: SuppressionDocument, filter: EntryFilter): boolean {
  const { addressKey, domain, reason, policy, messageId, from, until } = filter;
  const { createdAt } = entry;
  return (
    (addressKey === undefined || entry.addressKey === addressKey) &&
    (domain === undefined || (entry.domain ?? domainOf(entry.addressKey)) === domain) &&
    (reason === undefined || entry.reason === reason) &&
    (policy === undefined || (entry.policy ?? null) === policy) &&
    (messageId === undefined || entry.messageId === messageId) &&
    (from === undefined || createdAt >= from) &&
    (until === undefined || createdAt < until)
  );
}
