import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  DmarcDaySchema,
  DmarcSourceSchema,
  DmarcSumsSchema,
  ListDmarcSourcesRequest,
  ListDmarcSourcesResponseSchema,
} from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { sourceOf } from "../../intel/reports/dmarc-sources.ts";
import type { DailyRollup } from "../../rollups/daily-rollup.ts";
import {
  createSourceSums,
  type DaySums,
  type MessageSums,
  type SourceSums,
} from "../../rollups/source-sums.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { inParallel } from "../../shared/in-parallel.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { ScopedDomain } from "../../store/find-findings.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { createSlots } from "../slots.ts";
import { type ResolvedScope, resolveScope } from "./resolve-scope.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 92;
/** Maximum number of stored sums that one request reads: one of each domain, day and source. */
const MAX_ROWS = 250_000;
/** Number of domains that are read at the same time. */
const AT_ONCE = 8;
/** Domains that an entry names. */
const NAMED = 10;
const RESULTS = ["pass", "fail"];

interface Asked {
  readonly days: readonly string[];
  /** Empty: all sources. */
  readonly result: string;
  readonly known: boolean | undefined;
}

/**
 * Sums the DMARC reports about the domains of a scope by source and by day.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, watched_domain.unknown, service.busy,
 *   request.validation_failed, cursor.invalid
 */
export function createListDmarcSources(needs: Pick<Dependencies, "store" | "intel" | "clock">) {
  const { cursors } = needs.intel;
  const slots = createSlots({ of: "sums of DMARC reports", ofAccount: 2, inAll: 8, retryAfterSeconds: 5 });
  return async (
    request: ListDmarcSourcesRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ListDmarcSourcesResponseSchema>> => {
    const asked = readAsked(request, needs.clock.now());
    const limit = pageSizeOf(request.pageSize);
    const scope = await resolveScope(needs, request, audit);
    const { workspaceId, clientId = "", domain } = scope;
    const { days, result, known = null } = asked;
    const of = { workspaceId, clientId, domainId: domain?._id ?? "" };
    const question = { list: "dmarc", ...of, first: days[0], last: days.at(-1), result, known };
    const after = cursors.read(question, request.pageToken);
    const giveBack = slots.take(scope.account.id);
    try {
      const sums = await sumUp(scope, asked);
      const rankOf = createRankOf(result);
      const compare = (one: Ranked, other: Ranked) => other.rank - one.rank || (one.id < other.id ? -1 : 1);
      const found = sums
        .sources()
        .map((source) => ({ source, rank: rankOf(source), id: `${source.known} ${source.source}` }))
        .filter(({ rank }) => result === "" || rank > 0);
      const start = after && { id: after.id, rank: Number(after.rank) };
      const left = start ? found.filter((one) => one.id !== start.id && compare(start, one) < 0) : found;
      const { entries, nextPageToken } = pageOf(left.sort(compare), limit, ({ rank, id }) =>
        cursors.write(question, { rank, id }),
      );
      return {
        days: sums.days().map(toDay),
        total: toSums(sums.total()),
        sources: entries.map(({ source }) => toSource(source)),
        sourceCount: found.length,
        nextPageToken,
      };
    } finally {
      giveBack();
    }
  };
}

interface Ranked {
  readonly rank: number;
  readonly id: string;
}

/** The messages that the order counts. */
function createRankOf(result: string): (source: SourceSums) => number {
  return ({ sums: { messages, passed } }) =>
    result === "fail" ? messages - passed : result === "pass" ? passed : messages;
}

/** @throws Fault request.validation_failed */
function readAsked(request: ListDmarcSourcesRequest, now: Date): Asked {
  const faults = createFieldFaults();
  const until = request.until ? timestampDate(request.until) : now;
  const from = request.from
    ? timestampDate(request.from)
    : new Date(until.getTime() - (DEFAULT_DAYS - 1) * DAY_MS);
  const { result, known } = request;
  if (result !== "" && !RESULTS.includes(result))
    faults.add("/result", "field.invalid", say("one_of", { allowed: RESULTS }));
  if (!(from < until)) faults.add("/from", "field.invalid", say("until_after_from"));
  // Both days count, whole.
  const firstMs = Math.floor(from.getTime() / DAY_MS) * DAY_MS;
  const count = Math.ceil((until.getTime() - firstMs) / DAY_MS);
  if (count > MAX_DAYS) faults.add("/from", "field.invalid", say("range_days_at_most", { max: MAX_DAYS }));
  if (faults.found.length > 0) throw validationFault(faults.found);
  const days = Array.from({ length: count }, (_, index) => utcDay(firstMs + index * DAY_MS));
  return { days, result, known };
}

/** @throws Fault request.validation_failed: the scope and range have too many rows */
async function sumUp({ account, workspaceId, clientId, domain }: ResolvedScope, { days, known }: Asked) {
  const [first = "", last = first] = [days[0], days.at(-1)];
  const sums = createSourceSums(days, sourceOf);
  const isAsked = (rollup: DailyRollup) => known === undefined || sourceOf(rollup).known === known;
  let rows = 0;
  const read = async (page: readonly ScopedDomain[]) => {
    // A domain without a report has no sums.
    const reported = page.filter(({ reportedAt }) => reportedAt !== undefined);
    await inParallel(reported, AT_ONCE, async ({ _id, name }) => {
      if (rows > MAX_ROWS) throw tooMany();
      await account.aggregateReports.eachDmarc(_id, { first, last }, (rollups) => {
        rows += rollups.length;
        if (rows > MAX_ROWS) throw tooMany();
        sums.add(name, known === undefined ? rollups : rollups.filter(isAsked));
      });
    });
  };
  if (domain) await read([domain]);
  else await account.watches.eachOfScope({ workspaceId, clientId }, undefined, read);
  return sums;
}

function tooMany() {
  const message = say("range_rows_at_most", { max: MAX_ROWS });
  return validationFault([{ pointer: "/from", code: "field.invalid", message }]);
}

function toSums(sums: MessageSums): MessageInitShape<typeof DmarcSumsSchema> {
  const { messages, passed, dkimAligned, spfAligned, overridden, dispositions } = sums;
  const { none, quarantine, reject, other } = dispositions;
  return {
    messages: BigInt(messages),
    passed: BigInt(passed),
    failed: BigInt(messages - passed),
    dkimAligned: BigInt(dkimAligned),
    spfAligned: BigInt(spfAligned),
    overridden: BigInt(overridden),
    dispositions: {
      none: BigInt(none),
      quarantine: BigInt(quarantine),
      reject: BigInt(reject),
      other: BigInt(other),
    },
  };
}

function toSource(source: SourceSums): MessageInitShape<typeof DmarcSourceSchema> {
  const { known, sums, addresses, domains, messagesByDay, failedByDay } = source;
  const largest = [...domains].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return {
    source: source.source,
    known,
    addressCount: addresses.size,
    domainCount: domains.size,
    domains: largest.slice(0, NAMED).map(([name]) => name),
    sums: toSums(sums),
    messagesByDay: messagesByDay.map(BigInt),
    failedByDay: failedByDay.map(BigInt),
  };
}

function toDay(sums: DaySums): MessageInitShape<typeof DmarcDaySchema> {
  const { day, messages, failed, knownMessages, knownFailed } = sums;
  return {
    day,
    messages: BigInt(messages),
    passed: BigInt(messages - failed),
    failed: BigInt(failed),
    knownMessages: BigInt(knownMessages),
    knownFailed: BigInt(knownFailed),
  };
}
