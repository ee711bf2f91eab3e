import { fault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";

/** Limits the running long calls of one kind in a core process: each needs memory, or the processor. */
export interface Slots {
  /**
   * Takes a slot, which must be released.
   * @throws Fault service.busy
   */
  take(accountId: string): () => void;
}

export function createSlots({
  of,
  ofAccount,
  inAll,
  retryAfterSeconds,
}: {
  /** Name for the refused caller, for example `exports`. */
  readonly of: string;
  readonly ofAccount: number;
  readonly inAll: number;
  readonly retryAfterSeconds: number;
}): Slots {
  const busy = (text: FaultText) => fault("service.busy", { public: text, retryAfterSeconds });
  const underWay = new Map<string, number>();
  let all = 0;
  return {
    take: (accountId) => {
      const own = underWay.get(accountId) ?? 0;
      if (own >= ofAccount) throw busy(say("account_under_way", { max: ofAccount, calls: of }));
      if (all >= inAll) throw busy(say("under_way", { max: inAll, calls: of }));
      underWay.set(accountId, own + 1);
      all++;
      return () => {
        all--;
        const left = (underWay.get(accountId) ?? 1) - 1;
        if (left > 0) underWay.set(accountId, left);
        else underWay.delete(accountId);
      };
    },
  };
}
