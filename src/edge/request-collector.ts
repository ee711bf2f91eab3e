// Entries are collected and written once a second: a write for each request would cost as much as accepting it. A crash
// loses the last second of a log that is for people.

import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Clock } from "../shared/clock.ts";
import { Fault, type KeyOwner } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";

/** A request that is answered, as the log of requests has it: there is no field for what it brought along. */
export interface AnsweredRequest {
  readonly owner: KeyOwner;
  readonly method: string;
  /** The pattern of its path. */
  readonly route: string;
  readonly status: number;
  /** The problem's; empty: there was none. */
  readonly code: string;
  readonly traceId: string;
  /** Empty: none was made. */
  readonly messageId: string;
  readonly durationMs: number;
  readonly clientAddress: string;
  readonly bodyBytes: number;
  readonly replayed: boolean;
}

/** Requests that were answered alike, on their way to the core: all lists have an item for each. */
export interface AlikeRequests
  extends KeyOwner,
    Pick<AnsweredRequest, "method" | "route" | "status" | "code"> {
  /** Missing: as their trace ids say. */
  readonly at?: Timestamp;
  readonly traceIds: string[];
  readonly messageIds: string[];
  readonly clientAddresses: string[];
  readonly durationsMs: number[];
  readonly bodyBytes: number[];
  readonly replayed: boolean[];
  /** For how many the last one stands; 0: for itself. */
  readonly lastCount: number;
}

export interface RequestBatch {
  readonly batchId: string;
  readonly answered: AlikeRequests[];
}

export interface RequestCollectorOptions {
  readonly clock: Clock;
  /** Hands a batch to the core. */
  readonly send: (batch: RequestBatch) => Promise<unknown>;
  /** Called with the number of requests without their own log entry. */
  readonly onLeftOut: (count: number) => void;
}

/** Collects entries of the log of requests in memory, within bounds: no request waits for one. */
export interface RequestCollector {
  add(request: AnsweredRequest): void;
  /**
   * Submits the collected requests in batches. Requests that cannot be submitted now are retained for the next time.
   * @throws Fault core.* or store.* if the core or the store is unavailable
   */
  flush(): Promise<void>;
}

const WINDOW_MS = 10_000;
/**
 * In a window, so many requests of an account have entries of their own, and so many that were refused: each is 270 bytes on
 * the disk, and work for the process that accepts mail. So one account's take less than a hundredth of a processor.
 */
export const ENTRIES_OF_ACCOUNT = 1_000;
export const REFUSALS_OF_ACCOUNT = 200;
/** Entries that wait to be handed over; the core takes as many as `BATCH` at once. */
export const MOST_ENTRIES = 10_000;
const BATCH = 1_000;
/** Maximum number of distinct kinds of responses and accounts at once. */
export const MOST_GROUPS = 10_000;
export const MOST_ACCOUNTS = 10_000;

interface Account {
  readonly id: string;
  /** Start of its window, by the monotonic clock. */
  sinceMs: number;
  admitted: number;
  refused: number;
  /** How many are in the log by their number alone. */
  leftOut: number;
}

/** Requests with the same owner, operation and answer. */
interface Group {
  readonly answered: AnsweredRequest[];
  /** How many came beyond the bounds, and the last of them. */
  others: number;
  last: AnsweredRequest | undefined;
}

/** Codes of the core while it or the store is unavailable. Any other fault would repeat with the same batch. */
const AWAY = /^(?:core|store|service|auth)\./;

export function createRequestCollector({
  clock,
  send,
  onLeftOut,
}: RequestCollectorOptions): RequestCollector {
  const accounts = new Map<string, Account>();
  const groups = new Map<string, Group>();
  /** In all groups. */
  let entries = 0;
  /** Batches that have their names; new ones are made when all of them are handed over. */
  let sealed: RequestBatch[] = [];

  function accountOf(id: string): Account | undefined {
    const nowMs = clock.monotonicMs();
    let account = accounts.get(id);
    if (!account) {
      if (accounts.size >= MOST_ACCOUNTS) return undefined;
      account = { id, sinceMs: nowMs, admitted: 0, refused: 0, leftOut: 0 };
      accounts.set(id, account);
    }
    if (nowMs - account.sinceMs >= WINDOW_MS)
      Object.assign(account, { sinceMs: nowMs, admitted: 0, refused: 0 });
    return account;
  }

  /** Whether a request has an entry of its own. */
  function admits(account: Account, { status }: AnsweredRequest): boolean {
    if (entries >= MOST_ENTRIES || account.admitted >= ENTRIES_OF_ACCOUNT) return false;
    if (status >= 400) {
      if (account.refused >= REFUSALS_OF_ACCOUNT) return false;
      account.refused++;
    }
    account.admitted++;
    return true;
  }

  /** The group of a request; undefined: there is no room for one more. */
  function groupOf({ owner, method, route, status, code }: AnsweredRequest): Group | undefined {
    const name = `${owner.accountId} ${owner.keyId} ${method} ${route} ${status} ${code}`;
    let group = groups.get(name);
    if (!group && groups.size < MOST_GROUPS) {
      group = { answered: [], others: 0, last: undefined };
      groups.set(name, group);
    }
    return group;
  }

  function seal(): void {
    const notes = [...accounts.values()].filter(({ leftOut }) => leftOut > 0);
    const at = timestampFromDate(clock.now());
    for (const batch of inBatches([
      ...[...groups.values()].flatMap(alike),
      ...notes.map((one) => note(one, at)),
    ])) {
      sealed.push({ batchId: newId("req", clock.now()), answered: batch });
    }
    groups.clear();
    entries = 0;
    const nowMs = clock.monotonicMs();
    for (const account of accounts.values()) {
      account.leftOut = 0;
      if (nowMs - account.sinceMs >= WINDOW_MS) accounts.delete(account.id);
    }
  }

  return {
    add: (request) => {
      const account = accountOf(request.owner.accountId);
      const group = groupOf(request);
      if (group && account && admits(account, request)) {
        group.answered.push(request);
        entries++;
        return;
      }
      if (group) {
        group.others++;
        group.last = request;
        return;
      }
      if (account) account.leftOut++;
      onLeftOut(1);
    },

    flush: async () => {
      if (sealed.length === 0) seal();
      for (let batch = sealed[0]; batch; batch = sealed[0]) {
        try {
          await send(batch);
        } catch (error) {
          if (AWAY.test(Fault.from(error).code)) throw error;
          onLeftOut(batch.answered.reduce((sum, one) => sum + countOf(one), 0));
        }
        // At the end of a process two may be handing over: nothing is lost to the other one.
        sealed = sealed.filter((other) => other !== batch);
      }
    },
  };
}

/** The requests of a group, as many in each part as a batch has room for. */
function alike({ answered, others, last }: Group): AlikeRequests[] {
  const all = last ? [...answered, last] : answered;
  const parts: AlikeRequests[] = [];
  for (let from = 0; from < all.length; from += BATCH) {
    const part = all.slice(from, from + BATCH);
    const isLast = from + BATCH >= all.length;
    parts.push(inLists(part, isLast ? others : 0));
  }
  return parts;
}

function inLists(requests: readonly AnsweredRequest[], lastCount: number): AlikeRequests {
  const [{ owner, method, route, status, code }] = requests as [AnsweredRequest];
  return {
    keyId: owner.keyId,
    accountId: owner.accountId,
    method,
    route,
    status,
    code,
    lastCount,
    traceIds: requests.map(({ traceId }) => traceId),
    messageIds: requests.map(({ messageId }) => messageId),
    clientAddresses: requests.map(({ clientAddress }) => clientAddress),
    durationsMs: requests.map(({ durationMs }) => durationMs),
    bodyBytes: requests.map(({ bodyBytes }) => bodyBytes),
    replayed: requests.map(({ replayed }) => replayed),
  };
}

/** Entry for a number of requests without details. */
function note({ id: accountId, leftOut }: Account, at: Timestamp): AlikeRequests {
  const nothing = { keyId: "", method: "", route: "", status: 0, code: "" };
  const lists = { traceIds: [""], messageIds: [""], clientAddresses: [""], durationsMs: [0], bodyBytes: [0] };
  return { accountId, ...nothing, ...lists, replayed: [false], lastCount: leftOut, at };
}

/** Fills batches in turn; none of the parts is larger than one. */
function inBatches(parts: readonly AlikeRequests[]): AlikeRequests[][] {
  const batches: AlikeRequests[][] = [];
  let current: AlikeRequests[] = [];
  let capacity = 0;
  for (const part of parts) {
    if (part.traceIds.length > capacity) {
      current = [];
      batches.push(current);
      capacity = BATCH;
    }
    current.push(part);
    capacity -= part.traceIds.length;
  }
  return batches;
}

/** For how many requests it stands. */
function countOf({ traceIds, lastCount }: AlikeRequests): number {
  return traceIds.length - 1 + Math.max(1, lastCount);
}
