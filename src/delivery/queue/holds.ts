import { holdId } from "../../store/hold-document.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AcrossAccounts, Store } from "../../store/store.ts";

/** Fields that decide whether a message is held. */
export type Holdable = Pick<MessageDocument, "accountId" | "recipientDomain" | "policy">;

export interface Holds {
  /** True if no attempt of the message may begin. */
  isHeld(message: Holdable): boolean;
  /**
   * Reads the holds.
   * @returns true if they have changed
   * @throws Fault store.unavailable
   */
  refresh(): Promise<boolean>;
}

export interface HoldsOptions {
  /** Holds of the operator. */
  readonly holds: Pick<Store["holds"], "list">;
  /** Holds of policies by members of their accounts. */
  readonly policyHolds: Pick<AcrossAccounts["policyHolds"], "ids">;
  /** Called with the number of holds. */
  readonly onRead?: (count: number) => void;
}

/** The holds of the queue, as of the last read. Until the first read, every message is held. */
export function createHolds({ holds, policyHolds, onRead }: HoldsOptions): Holds {
  let ids: ReadonlySet<string> | undefined;
  let isAllHeld = true;

  return {
    isHeld: ({ accountId, recipientDomain: destination, policy }) => {
      if (!ids || isAllHeld) return true;
      if (ids.size === 0) return false;
      return (
        ids.has(holdId({ accountId })) ||
        ids.has(holdId({ destination })) ||
        ids.has(holdId({ accountId, policy })) ||
        ids.has(holdId({ accountId, destination })) ||
        ids.has(holdId({ accountId, destination, policy }))
      );
    },
    refresh: async () => {
      const [found, ofPolicies] = await Promise.all([holds.list(), policyHolds.ids()]);
      const before = ids;
      ids = new Set([...found.map(holdId), ...ofPolicies]);
      isAllHeld = ids.has(holdId({}));
      onRead?.(found.length + ofPolicies.length);
      const now = ids;
      return !before || before.size !== now.size || [...now].some((id) => !before.has(id));
    },
  };
}
