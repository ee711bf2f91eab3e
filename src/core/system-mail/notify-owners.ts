import { addressKey } from "../../message/address/address-key.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Letter } from "./letter.ts";

/** Maximum number of notified owners per account. */
const MOST_OWNERS = 20;

/**
 * Notifies the owners of an account of an event.
 * @param without comparison keys of addresses that are not notified
 */
export type NotifyOwners = (
  accountId: string,
  letter: Letter,
  without?: ReadonlySet<string>,
) => Promise<void>;

export function createNotifyOwners({
  store,
  systemMail,
}: Pick<Dependencies, "store" | "systemMail">): NotifyOwners {
  return async (accountId, letter, without = new Set()) => {
    const members = await store.forAccount(accountId).members.list({ limit: 1_000 });
    const owners = members.filter(({ role }) => role === "owner").slice(0, MOST_OWNERS);
    for (const { userId } of owners) {
      const user = await store.users.findById(userId);
      if (user && !without.has(addressKey(user.email))) await systemMail.notify(user.email, letter);
    }
  };
}
