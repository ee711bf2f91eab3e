import { createHash, randomBytes } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type BeginErasureRequest,
  type BeginErasureResponseSchema,
  ErasureService,
  type GetErasureRequest,
  type GetErasureResponseSchema,
  type ListErasuresRequest,
  type ListErasuresResponseSchema,
  type PreviewErasureRequest,
  type PreviewErasureResponseSchema,
} from "../../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import { addressKey, parseAddress } from "../../message/address/addresses.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS } from "../../rpc/audits.ts";
import { type HandlerContext, permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toErasure } from "./erasure-to-proto.ts";

type ErasureNeeds = Pick<Dependencies, "store" | "clock" | "log">;

/** All that an account has about one recipient, removed, with a proof of it. */
export const erasures = defineArea({
  service: ErasureService,
  callers: {
    previewErasure: permitted("recipients.erase"),
    beginErasure: permitted("recipients.erase"),
    getErasure: permitted("recipients.erase"),
    listErasures: permitted("recipients.erase"),
  },
  // None names the recipient: the log is to know no address that is erased.
  audits: {
    previewErasure: LOOKS,
    beginErasure: changes("erasure.begin"),
    getErasure: LOOKS,
    listErasures: LOOKS,
  },
  handlers: ({ store, clock, log }: ErasureNeeds) => ({
    previewErasure: createPreviewErasure({ store, clock }),
    beginErasure: createBeginErasure({ store, clock, log }),
    getErasure: createGetErasure({ store }),
    listErasures: createListErasures({ store }),
  }),
});

/** @throws Fault account.unknown, request.validation_failed */
function createPreviewErasure({ store, clock }: Pick<ErasureNeeds, "store" | "clock">) {
  return async (
    request: PreviewErasureRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof PreviewErasureResponseSchema>> => {
    const address = readRecipient(request.recipient);
    const account = await resolveAccount(store, request, context);
    const { isComplete: complete, ...counts } = await account.erasures.count(address, clock.now());
    return { ...counts, complete };
  };
}

const SALT_BYTES = 16;

/** @throws Fault account.unknown, request.validation_failed, auth.reauthentication_required, erasure.too_many */
function createBeginErasure({ store, clock, log }: ErasureNeeds) {
  return async (
    request: BeginErasureRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof BeginErasureResponseSchema>> => {
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
    log.info({ accountId: account.id, erasure: begun._id }, "the erasure of a recipient begins");
    return { erasure: toErasure(begun) };
  };
}

/** @throws Fault account.unknown, erasure.unknown */
function createGetErasure({ store }: Pick<ErasureNeeds, "store">) {
  return async (
    request: GetErasureRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof GetErasureResponseSchema>> => {
    const account = await resolveAccount(store, request, context);
    const found = await account.erasures.find(request.id);
    if (found) return { erasure: toErasure(found) };
    throw fault("erasure.unknown");
  };
}

/** @throws Fault account.unknown, request.validation_failed */
function createListErasures({ store }: Pick<ErasureNeeds, "store">) {
  return async (
    request: ListErasuresRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListErasuresResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: (account, page) => account.erasures.list(page),
      placeOf: ({ _id }) => _id,
      context,
    });
    return { erasures: entries.map(toErasure), nextPageToken };
  };
}

/**
 * The comparison key of the address. A fault says nothing of it that a log could keep.
 * @throws Fault request.validation_failed
 */
function readRecipient(text: string): string {
  const result = parseAddress(text);
  if (result.ok) return addressKey(result.address);
  throw validationFault([{ pointer: "/recipient", code: result.code, message: result.message }]);
}
