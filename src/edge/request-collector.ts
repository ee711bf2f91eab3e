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

/** An entry on its way to the core. */
export interface CollectedRequest extends Omit<AnsweredRequest, "owner">, KeyOwner {
  /** Missing: as its trace id says. */
  readonly at?: Timestamp;
  readonly count: number;
}

export interface RequestBatch {
  readonly batchId: string;
  readonly requests: CollectedRequest[];
}

export interface RequestCollectorOptions {
  readonly clock: Clock;
  /** Hands a batch to the core. */
  readonly send: (batch: RequestBatch) => Promise<unknown>;
  /** Told of requests of which nothing but their number is in the log, or not even that. */
  readonly onLeftOut: (count: number) => void;
}

/** Collects entries of the log of requests in memory, within bounds: no request waits for one. */
export interface RequestCollector {
  add(request: AnsweredRequest): void;
  /**
   * Hands over what there is, batch by batch. What cannot be handed over now is kept for the next time.
   * @throws Fault core.* or store.* when the core or the store is away
   */
  flush(): Promise<void>;
}

const WINDOW_MS = 10_000;
/**
 * In a window, so many requests of an account have entries of their own, and so many that were refused: 270 bytes each on the
 * disk, and 25 µs of this process, a thirtieth of what the request itself takes.
 */
export const ENTRIES_OF_ACCOUNT = 2_500;
export const REFUSALS_OF_ACCOUNT = 500;
/** Entries that wait to be handed over; the core takes as many as `BATCH` at once. */
export const MOST_ENTRIES = 10_000;
const BATCH = 1_000;
/** Those that are counted with others like them; and accounts that are counted at once. */
export const MOST_GROUPS = 1_000;
export const MOST_ACCOUNTS = 10_000;

interface Account {
  readonly id: string;
  /** Of its window, by the monotonic clock. */
  sinceMs: number;
  admitted: number;
  refused: number;
  /** How many are in the log by their number alone. */
  leftOut: number;
}

/** What the core may say while it, or the store, is away; any other fault would come again with the same batch. */
const AWAY = /^(?:core|store|service|auth)\./;

export function createRequestCollector({
  clock,
  send,
  onLeftOut,
}: RequestCollectorOptions): RequestCollector {
  const accounts = new Map<string, Account>();
  let entries: CollectedRequest[] = [];
  /** What comes beyond the bounds, by all that its requests have in common. */
  const groups = new Map<string, { count: number; last: AnsweredRequest }>();
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
    if (entries.length >= MOST_ENTRIES || account.admitted >= ENTRIES_OF_ACCOUNT) return false;
    if (status >= 400) {
      if (account.refused >= REFUSALS_OF_ACCOUNT) return false;
      account.refused++;
    }
    account.admitted++;
    return true;
  }

  /** Counts a request with others like it; false: there is no room for one more group. */
  function joinsGroup(request: AnsweredRequest): boolean {
    const { owner, method, route, status, code } = request;
    const name = `${owner.accountId} ${owner.keyId} ${method} ${route} ${status} ${code}`;
    const group = groups.get(name);
    if (!group && groups.size >= MOST_GROUPS) return false;
    if (group) {
      group.count++;
      group.last = request;
    } else groups.set(name, { count: 1, last: request });
    return true;
  }

  function seal(): void {
    const at = timestampFromDate(clock.now());
    const notes = [...accounts.values()].filter(({ leftOut }) => leftOut > 0);
    const grouped = [...groups.values()].map(({ last, count }) => entryOf(last, count));
    const all = [...entries, ...grouped, ...notes.map(({ id, leftOut }) => noteOf(id, leftOut, at))];
    entries = [];
    groups.clear();
    const nowMs = clock.monotonicMs();
    for (const account of accounts.values()) {
      account.leftOut = 0;
      if (nowMs - account.sinceMs >= WINDOW_MS) accounts.delete(account.id);
    }
    for (let from = 0; from < all.length; from += BATCH) {
      sealed.push({ batchId: newId("req", clock.now()), requests: all.slice(from, from + BATCH) });
    }
  }

  return {
    add: (request) => {
      const account = accountOf(request.owner.accountId);
      if (account && admits(account, request)) {
        entries.push(entryOf(request, 1));
        return;
      }
      if (joinsGroup(request)) return;
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
          onLeftOut(batch.requests.reduce((sum, { count }) => sum + count, 0));
        }
        // At the end of a process two may be handing over: nothing is lost to the other one.
        sealed = sealed.filter((other) => other !== batch);
      }
    },
  };
}

function entryOf({ owner, ...request }: AnsweredRequest, count: number): CollectedRequest {
  return { ...request, keyId: owner.keyId, accountId: owner.accountId, count };
}

/** That there were so many requests, of which no more is known. */
function noteOf(accountId: string, count: number, at: Timestamp): CollectedRequest {
  const nothing = {
    method: "",
    route: "",
    status: 0,
    code: "",
    traceId: "",
    messageId: "",
    clientAddress: "",
  };
  return { ...nothing, durationMs: 0, bodyBytes: 0, replayed: false, keyId: "", accountId, at, count };
}
