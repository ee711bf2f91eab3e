import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  AnsweredRequests,
  RecordRequestsRequest,
  RecordRequestsResponseSchema,
} from "../../../gen/hermod/request/v1/request_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { idOfPart, isTraceId, traceTime } from "../../shared/ids.ts";
import {
  marksOf,
  REQUESTS_SPAN_MS,
  type RequestEntry,
  type RequestsDocument,
} from "../../store/request-store.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";

/** Maximum number of requests that a front end sends at once. */
const MAX_REQUESTS = 1_000;
const MAX_BATCH_ID_LENGTH = 100;
/** 50 KB of a document. */
const ENTRIES_OF_DOCUMENT = 200;
/** Longer than any name of Hermod, and too short to fill a document. */
const MAX_TEXT_LENGTH = 200;

export interface RecordRequestsNeeds {
  readonly store: Pick<Store, "accounts" | "acrossAccounts">;
  readonly clock: Pick<Clock, "now">;
  /** Retention time of requests. */
  readonly retentionMs: number;
}

/**
 * Writes one document per account and second, and counts the requests, in one transaction for a batch. The ids are
 * derived from the batch, so that a repeated batch is stored and counted once.
 * @throws Fault request.validation_failed, store.unavailable
 */
export function createRecordRequests({ store, clock, retentionMs }: RecordRequestsNeeds) {
  return async ({
    batchId,
    answered,
  }: RecordRequestsRequest): Promise<MessageInitShape<typeof RecordRequestsResponseSchema>> => {
    check(batchId, answered);
    const expireAt = new Date(clock.now().getTime() + retentionMs);
    const byAccount = entriesByAccount(answered);
    // Requests of a deleted account would remain after its removal.
    const existing = new Set(await store.accounts.existing([...byAccount.keys()]));
    const documents: RequestsDocument[] = [];
    for (const [accountId, ofAccount] of byAccount) {
      if (!existing.has(accountId)) continue;
      for (const [part, entries] of parts(ofAccount).entries()) {
        const at = entries.at(-1)?.at ?? expireAt;
        const _id = idOfPart("req", at, part, [batchId, accountId]);
        documents.push({ _id, accountId, entries, marks: marksOf(entries), expireAt });
      }
    }
    await store.acrossAccounts.requests.insertMissing(documents);
    return {};
  };
}

/** @throws Fault request.validation_failed */
function check(batchId: string, answered: readonly AnsweredRequests[]): void {
  const faults = createFieldFaults();
  if (batchId.length < 1 || batchId.length > MAX_BATCH_ID_LENGTH) {
    faults.add("/batch_id", "field.invalid", say("name_batch_1_characters", { max: MAX_BATCH_ID_LENGTH }));
  }
  const count = answered.reduce((sum, { traceIds }) => sum + traceIds.length, 0);
  if (count < 1 || count > MAX_REQUESTS) {
    faults.add("/answered", "field.invalid", say("batch_1_requests", { max: MAX_REQUESTS }));
  }
  for (const [index, alike] of answered.entries()) {
    const { accountId, at, traceIds, messageIds, clientAddresses, durationsMs, bodyBytes, replayed } = alike;
    const named = `/answered/${index}`;
    if (accountId === "") faults.add(`${named}/account_id`, "field.required", say("account_missing"));
    if (at === undefined && !traceIds.every(isTraceId)) {
      faults.add(`${named}/at`, "field.required", say("say_when_they_came_trace_ids"));
    }
    const lists = [messageIds, clientAddresses, durationsMs, bodyBytes, replayed];
    if (lists.some(({ length }) => length !== traceIds.length)) {
      faults.add(named, "field.invalid", say("all_lists_item_each_request"));
    }
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
}

function entriesByAccount(answered: readonly AnsweredRequests[]): ReadonlyMap<string, RequestEntry[]> {
  const byAccount = new Map<string, RequestEntry[]>();
  for (const alike of answered) {
    const known = byAccount.get(alike.accountId);
    const entries = known ?? [];
    if (!known) byAccount.set(alike.accountId, entries);
    const last = alike.traceIds.length - 1;
    for (let n = 0; n <= last; n++) entries.push(entryAt(alike, n, n === last ? alike.lastCount : 1));
  }
  return byAccount;
}

/** Entries in the order of their times, divided if a document would contain too many, or cover too long a time. */
function parts(entries: readonly RequestEntry[]): RequestEntry[][] {
  const divided: RequestEntry[][] = [];
  let current: RequestEntry[] = [];
  for (const entry of entries.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const [first] = current;
    const isOver = first && entry.at.getTime() - first.at.getTime() >= REQUESTS_SPAN_MS;
    if (!first || isOver || current.length >= ENTRIES_OF_DOCUMENT) {
      current = [];
      divided.push(current);
    }
    current.push(entry);
  }
  return divided;
}

function entryAt(alike: AnsweredRequests, n: number, count: number): RequestEntry {
  const { at, code, traceIds, messageIds } = alike;
  const [traceId = "", messageId = ""] = [traceIds[n], messageIds[n]];
  return {
    at: at ? timestampDate(at) : (traceTime(traceId) ?? new Date(0)),
    keyId: cut(alike.keyId),
    method: cut(alike.method),
    route: cut(alike.route),
    status: alike.status,
    ...(code !== "" && { code: cut(code) }),
    traceId: cut(traceId),
    ...(messageId !== "" && { messageId: cut(messageId) }),
    durationMs: alike.durationsMs[n] ?? 0,
    clientAddress: cut(alike.clientAddresses[n] ?? ""),
    bodyBytes: alike.bodyBytes[n] ?? 0,
    ...(alike.replayed[n] && { replayed: true }),
    ...(count > 1 && { count }),
  };
}

const cut = (text: string) => text.slice(0, MAX_TEXT_LENGTH);
