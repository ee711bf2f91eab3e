import type { Clock } from "../shared/clock.ts";
import type { Fault } from "../shared/fault.ts";

export interface AskedLooksOptions {
  readonly clock: Pick<Clock, "now">;
  /** So long the answer of the look before has to do. */
  readonly pauseMs: number;
  /** What somebody is told who asks too soon. */
  readonly tooSoon: (seconds: number) => Fault;
}

/** A look that somebody asks for. */
export interface AskedLook {
  readonly accountId: string;
  /** When somebody asked last; undefined: nobody has. */
  readonly askedAt: Date | undefined;
  /** Notes that somebody asks now. False: somebody else does since `askedAt` was read. */
  readonly ask: (now: Date) => Promise<boolean>;
}

/** Looks that one account may have under way at once, in one process. */
const AT_ONCE_MAX = 4;

/**
 * Looks that somebody waits for at a screen, and that cost others' servers dozens of questions: of each thing one in a while, and of
 * an account a few at once.
 * @throws Fault what `tooSoon` makes, and whatever `look` throws
 */
export function createAskedLooks({ clock, pauseMs, tooSoon }: AskedLooksOptions) {
  const underWay = new Map<string, number>();
  const refusal = (waitMs: number) => tooSoon(Math.ceil(waitMs / 1_000));

  return async <T>({ accountId, askedAt, ask }: AskedLook, look: () => Promise<T>): Promise<T> => {
    const now = clock.now();
    const waitMs = (askedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + pauseMs - now.getTime();
    if (waitMs > 0) throw refusal(waitMs);
    if ((underWay.get(accountId) ?? 0) >= AT_ONCE_MAX) throw refusal(pauseMs);
    // Before anything is waited for: others of the account may ask meanwhile.
    underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1);
    try {
      if (!(await ask(now))) throw refusal(pauseMs);
      return await look();
    } finally {
      const left = (underWay.get(accountId) ?? 1) - 1;
      if (left > 0) underWay.set(accountId, left);
      else underWay.delete(accountId);
    }
  };
}
