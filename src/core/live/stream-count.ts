import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

/** Owner of a stream. */
export interface StreamOwner {
  readonly accountId: string;
  /** Empty together with the session for the operator. */
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Maximum number of open streams of one process. Browsers open at most six connections to one host without HTTP/2.
 */
const MAX_OF = { session: 10, user: 300, account: 500 } as const;
const MAX_OF_ALL = 2_000;
const RETRY_AFTER_SECONDS = 10;

/** Counts and limits open streams. */
export function createStreamCount() {
  const open = new Map<string, number>();
  let all = 0;

  const keysOf = ({ accountId, userId, sessionId }: StreamOwner) =>
    (
      [
        ["session", sessionId],
        ["user", userId],
        ["account", accountId],
      ] as const
    ).filter(([, id]) => id !== "");

  return {
    /** @throws Fault live.too_many_streams, live.full */
    add(owner: StreamOwner): void {
      const keys = keysOf(owner);
      for (const [kind, id] of keys) {
        if ((open.get(`${kind} ${id}`) ?? 0) < MAX_OF[kind]) continue;
        throw fault("live.too_many_streams", {
          public: say("open_streams", { holder: kind, max: MAX_OF[kind] }),
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      if (all >= MAX_OF_ALL) throw fault("live.full", { retryAfterSeconds: RETRY_AFTER_SECONDS });
      all++;
      for (const [kind, id] of keys) open.set(`${kind} ${id}`, (open.get(`${kind} ${id}`) ?? 0) + 1);
    },

    remove(owner: StreamOwner): void {
      all--;
      for (const [kind, id] of keysOf(owner)) {
        const left = (open.get(`${kind} ${id}`) ?? 0) - 1;
        if (left > 0) open.set(`${kind} ${id}`, left);
        else open.delete(`${kind} ${id}`);
      }
    },
  };
}
