import { fault } from "../../shared/fault.ts";

/** Exports that may be under way at once in a core process: each holds on to some megabytes for as long as its reader likes. */
export interface ExportPlaces {
  /**
   * Takes a place, which is to be given back.
   * @throws Fault service.busy
   */
  take(accountId: string): () => void;
}

const OF_MESSAGES = { ofAccount: 4, inAll: 16 } as const;
const RETRY_AFTER_SECONDS = 30;

export function createExportPlaces({
  ofAccount,
  inAll,
}: {
  readonly ofAccount: number;
  readonly inAll: number;
} = OF_MESSAGES): ExportPlaces {
  const underWay = new Map<string, number>();
  let all = 0;
  return {
    take: (accountId) => {
      const own = underWay.get(accountId) ?? 0;
      if (own >= ofAccount) throw busy(`${ofAccount} exports of this account are under way`);
      if (all >= inAll) throw busy(`${inAll} exports are under way`);
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

const busy = (reason: string) =>
  fault("service.busy", {
    public: `${reason}: wait for the end of one of them.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
