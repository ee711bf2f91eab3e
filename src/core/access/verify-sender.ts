import { addressKey, domainOf } from "../../message/addresses.ts";
import { fault } from "../../shared/fault.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { AccountSettings } from "../account-settings.ts";

/**
 * Resolves when a key may send as an address.
 * @throws Fault sender.not_allowed, sender.unverified
 */
export type VerifySender = (address: string, key: KeyDocument) => Promise<void>;

export function createVerifySender(settings: Pick<AccountSettings, "isSender">): VerifySender {
  return async (address, key) => {
    const values = [addressKey(address), domainOf(address)];
    if (key.senders.length > 0 && !values.some((value) => key.senders.includes(value))) {
      throw fault("sender.not_allowed", {
        public: `The key may not send as ${address}.`,
        errors: [{ pointer: "/from", code: "sender.not_allowed", message: "Not among the key's senders." }],
      });
    }
    if (await settings.isSender(key.accountId, values)) return;
    throw fault("sender.unverified", {
      public: `${address} is not a verified sender of this account, and neither is its domain.`,
      errors: [{ pointer: "/from", code: "sender.unverified", message: "Not a verified sender." }],
    });
  };
}
