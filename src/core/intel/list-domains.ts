import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import {
  type WatchFilter as Asked,
  WatchedDomainSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { createEntryOf } from "../../intel/assess-domain.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import { parseDomain } from "../../message/address/senders.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { type WatchFilter, type WatchOrder, watchOrders } from "../../store/watch-list.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import type { CursorPosition } from "./cursors.ts";
import { describeDomains } from "./describe-domains.ts";
import { pageBySize } from "./page-by-size.ts";

export interface DomainList {
  readonly account: AccountStore;
  readonly workspaceId: string;
  readonly filter?: Asked | undefined;
  /** Empty: by name. */
  readonly sort: string;
  readonly include: readonly string[];
  readonly pageSize: number;
  readonly pageToken: string;
}

const INCLUDES = ["checks", "history"];

/**
 * Lists one page of the domains of a workspace.
 * @throws Fault request.validation_failed, cursor.invalid
 */
export async function listDomains(
  { intel, clock }: Pick<Dependencies, "intel" | "clock">,
  { account, workspaceId, filter: asked, sort, include, pageSize, pageToken }: DomainList,
): Promise<{
  readonly domains: MessageInitShape<typeof WatchedDomainSchema>[];
  readonly nextPageToken: string;
}> {
  const faults = createFieldFaults();
  const order = (sort || "name") as WatchOrder;
  if (!Object.hasOwn(watchOrders, order))
    faults.add("/sort", "field.invalid", say("one_of", { allowed: Object.keys(watchOrders) }));
  for (const [index, one] of include.entries())
    if (!INCLUDES.includes(one))
      faults.add(`/include/${index}`, "field.invalid", say("one_of", { allowed: INCLUDES }));
  const finding = asked?.finding ?? "";
  if (finding !== "" && createEntryOf(intel.lists)(finding as CheckId) === undefined)
    faults.add("/finding", "field.invalid", say("finding_id_check_auth_dmarc_policy"));
  if (faults.found.length > 0) throw validationFault(faults.found);
  const filter = readWatchFilter(asked);
  const question = { list: "domains", workspaceId, filter, order };
  const limit = pageSizeOf(pageSize);
  const position = intel.cursors.read(question, pageToken);
  const after = position && { id: position.id, rank: rankOf(order, position) };
  const found = await account.watches.list(workspaceId, filter, order, { after, limit: limit + 1 });
  const cursorOf = (last: WatchedDomainDocument) => intel.cursors.write(question, positionOf(order, last));
  const { entries, nextPageToken } = pageOf(found, limit, cursorOf);
  const describe = (domains: readonly WatchedDomainDocument[]) =>
    describeDomains({
      account,
      domains,
      intel,
      now: clock.now(),
      withChecks: include.includes("checks"),
      withHistory: include.includes("history"),
    });
  // Without them, a domain has one kilobyte.
  if (include.length === 0) return { domains: await describe(entries), nextPageToken };
  const page = await pageBySize(entries, describe, jsonBytes);
  return {
    domains: [...page.described],
    nextPageToken: page.isCut && page.last ? cursorOf(page.last) : nextPageToken,
  };
}

/** Size of a domain in the HTTP API, without its nulls. */
function jsonBytes(domain: MessageInitShape<typeof WatchedDomainSchema>): number {
  const json = toJson(WatchedDomainSchema, create(WatchedDomainSchema, domain), { useProtoFieldName: true });
  return Buffer.byteLength(JSON.stringify(json));
}

/** The filter of a request; fields that are not given do not filter. */
export function readWatchFilter(asked: Asked | undefined): WatchFilter {
  const { id, name, clientId, status, role, grade, finding, search, tag } = asked ?? {};
  const named = name && nameOf(name);
  const given = { id, name: named, clientId, status, role, grade, finding, search, tag };
  const some = Object.entries(given).filter(([, value]) => value !== undefined && value !== "");
  return withoutUndefined(Object.fromEntries(some)) as WatchFilter;
}

/** The stored form of a name; a text that is not a domain matches none. */
function nameOf(text: string): string {
  const read = parseDomain(text.trim().replace(/\.$/, ""));
  return read.ok ? read.domain : text;
}

function positionOf(order: WatchOrder, domain: WatchedDomainDocument): CursorPosition {
  const rank = domain[watchOrders[order].field];
  return { id: domain._id, rank: rank instanceof Date ? rank.getTime() : rank };
}

function rankOf(order: WatchOrder, { rank }: CursorPosition) {
  return order === "last_check_at" ? new Date(rank) : rank;
}
