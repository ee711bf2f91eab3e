import { addressKey } from "../../message/address/address-key.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { AccountSettings } from "./account-settings.ts";

/**
 * Resolves when a key may send as an address.
 * @throws Fault sender.not_allowed, sender.unverified
 */
export type VerifySender = (
  address: string,
  key: Pick<KeyDocument, "accountId" | "senders">,
) => Promise<void>;

/** Whether the key's own list of senders, if it has one, contains an address or its domain. */
export function mayUseSender({ senders }: Pick<KeyDocument, "senders">, address: string): boolean {
  return senders.length === 0 || spellings(address).some((value) => senders.includes(value));
}

/** Forms in which a sender may be listed: its address, or its domain. */
const spellings = (address: string) => [addressKey(address), domainOf(address)];

export function createVerifySender(settings: Pick<AccountSettings, "isSender">): VerifySender {
  return async (address, key) => {
    if (!mayUseSender(key, address)) {
      throw fault("sender.not_allowed", {
        public: say("key_sender", { address }),
        errors: [{ pointer: "/from", code: "sender.not_allowed", message: say("not_among_key_senders") }],
      });
    }
    if (await settings.isSender(key.accountId, spellings(address))) return;
    throw fault("sender.unverified", {
      public: say("sender_and_domain_unverified", { address }),
      errors: [{ pointer: "/from", code: "sender.unverified", message: say("not_verified_sender") }],
    });
  };
}
