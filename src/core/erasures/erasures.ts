import { createHash, randomBytes } from "node:crypto";
import { ErasureService } from "../../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toErasure } from "./erasure-to-proto.ts";

type ErasureNeeds = Pick<Dependencies, "store" | "clock" | "log">;

/** Removes all data that an account stores about one recipient, with a proof of the removal. */
export const erasures: Area<ErasureNeeds> = defineArea(ErasureService, {
  // No audit entry has the recipient as its target, because the log must not contain an erased address.
  /** @throws Fault account.unknown, request.validation_failed */
  previewErasure: [
    permitted("recipients.erase"),
    READS,
    ({ store, clock }) =>
      async (request, context) => {
        const address = readRecipient(request.recipient);
        const account = await resolveAccount(store, request, context);
        const { isComplete: complete, ...counts } = await account.erasures.count(address, clock.now());
        return { ...counts, complete };
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed, auth.reauthentication_required, erasure.too_many */
  beginErasure: [
    permitted("recipients.erase"),
    changes("erasure.begin"),
    ({ store, clock, log }) =>
      async (request, { actor, audit }) => {
        const now = clock.now();
        const address = readRecipient(request.recipient);
        const account = await resolveAccount(store, request, { actor });
        const salt = randomBytes(SALT_BYTES).toString("base64url");
        const begun = await account.erasures.begin(
          {
            _id: newId("era", now),
            address,
            salt,
            addressHash: createHash("sha256").update(salt).update(address).digest("base64url"),
            keepSuppressed: request.keepSuppressed,
            requestedAt: now,
            requestedBy: audit.actor,
            removed: {},
            waiting: 0,
            heldUntil: now,
          },
          audit,
        );
        if (begun === "busy") throw fault("erasure.too_many");
        log.info({ accountId: account.id, erasure: begun._id }, "the erasure of a recipient began");
        return { erasure: toErasure(begun) };
      },
  ],
  /** @throws Fault account.unknown, erasure.unknown */
  getErasure: [
    permitted("recipients.erase"),
    READS,
    ({ store }) =>
      async (request, context) => {
        const account = await resolveAccount(store, request, context);
        const found = await account.erasures.find(request.id);
        if (found) return { erasure: toErasure(found) };
        throw fault("erasure.unknown");
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed */
  listErasures: [
    permitted("recipients.erase"),
    READS,
    ({ store }) =>
      async (request, context) => {
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: (account, page) => account.erasures.list(page),
          cursorOf: ({ _id }) => _id,
          context,
        });
        return { erasures: entries.map(toErasure), nextPageToken };
      },
  ],
});

const SALT_BYTES = 16;

/**
 * The comparison key of the address. A fault does not contain any part of it that a log could store.
 * @throws Fault request.validation_failed
 */
function readRecipient(text: string): string {
  const result = parseAddress(text);
  if (result.ok) return addressKey(result.address);
  throw validationFault([{ pointer: "/recipient", code: result.code, message: result.message }]);
}
