import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { RecordRequestsRequest, Request } from "../../../gen/hermod/request/v1/request_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { idOfPart, isTraceId, traceTime } from "../../shared/ids.ts";
import {
  marksOf,
  REQUESTS_SPAN_MS,
  type RequestEntry,
  type RequestsDocument,
} from "../../store/request-store.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";

/** As many as a front end hands over at once. */
const MAX_REQUESTS = 1_000;
const MAX_BATCH_ID_LENGTH = 100;
/** 50 KB of a document. */
const ENTRIES_OF_DOCUMENT = 200;
/** Longer than any name of Hermod's own, and shorter than anything that fills a document. */
const MAX_TEXT_LENGTH = 200;

export interface RecordRequestsNeeds {
  readonly store: Pick<Store, "accounts" | "acrossAccounts">;
  readonly clock: Pick<Clock, "now">;
  /** How long they are kept. */
  readonly retentionMs: number;
}

/**
 * Writes a document for each account and second: one write for all of a batch. The ids follow from the batch, so that one
 * that is sent twice is stored once.
 * @throws Fault request.validation_failed, store.unavailable
 */
export function createRecordRequests({ store, clock, retentionMs }: RecordRequestsNeeds) {
  return async ({ batchId, requests }: RecordRequestsRequest): Promise<Record<string, never>> => {
    check(batchId, requests);
    const expireAt = new Date(clock.now().getTime() + retentionMs);
    const byAccount = groupByAccount(requests);
    // What is written for an account that is gone would outlive its removal.
    const existing = new Set(await store.accounts.existing([...byAccount.keys()]));
    const documents: RequestsDocument[] = [];
    for (const [accountId, ofAccount] of byAccount) {
      if (!existing.has(accountId)) continue;
      for (const [part, entries] of parts(ofAccount.map(toEntry)).entries()) {
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
function check(batchId: string, requests: readonly Request[]): void {
  const faults = createFieldFaults();
  if (batchId.length < 1 || batchId.length > MAX_BATCH_ID_LENGTH) {
    faults.add(
      "/batch_id",
      "field.invalid",
      `The name of a batch has 1 to ${MAX_BATCH_ID_LENGTH} characters.`,
    );
  }
  if (requests.length < 1 || requests.length > MAX_REQUESTS) {
    faults.add("/requests", "field.invalid", `A batch has 1 to ${MAX_REQUESTS} requests.`);
  }
  for (const [index, { accountId, at, traceId }] of requests.entries()) {
    const named = `/requests/${index}`;
    if (accountId === "") faults.add(`${named}/account_id`, "field.required", "Name the account.");
    if (at === undefined && !isTraceId(traceId))
      faults.add(`${named}/at`, "field.required", "Say when it came.");
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
}

function groupByAccount(requests: readonly Request[]): ReadonlyMap<string, Request[]> {
  const groups = new Map<string, Request[]>();
  for (const request of requests) {
    const group = groups.get(request.accountId);
    if (group) group.push(request);
    else groups.set(request.accountId, [request]);
  }
  return groups;
}

/** Entries in the order of their times, divided where a document would hold too many, or span too long. */
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

function toEntry(request: Request): RequestEntry {
  const { at, status, code, messageId, durationMs, bodyBytes, replayed, count } = request;
  return {
    at: at ? timestampDate(at) : (traceTime(request.traceId) ?? new Date(0)),
    keyId: cut(request.keyId),
    method: cut(request.method),
    route: cut(request.route),
    status,
    ...(code !== "" && { code: cut(code) }),
    traceId: cut(request.traceId),
    ...(messageId !== "" && { messageId: cut(messageId) }),
    durationMs,
    clientAddress: cut(request.clientAddress),
    bodyBytes,
    ...(replayed && { replayed }),
    ...(count > 1 && { count }),
  };
}

const cut = (text: string) => text.slice(0, MAX_TEXT_LENGTH);
