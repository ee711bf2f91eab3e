import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type AddSuppressionRequest,
  type AddSuppressionResponseSchema,
  type ListSuppressionsRequest,
  type ListSuppressionsResponseSchema,
  type RemoveSuppressionRequest,
  type RemoveSuppressionResponseSchema,
  SuppressionService,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { addressKey, parseAddress } from "../message/address/addresses.ts";
import { hasControl } from "../message/characters.ts";
import { defineArea } from "../rpc/area.ts";
import { changes, LOOKS } from "../rpc/audits.ts";
import { type HandlerContext, OPERATOR_ONLY } from "../rpc/callers.ts";
import type { Clock } from "../shared/clock.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { type SuppressionReason, suppressionReasons } from "../store/documents.ts";
import type { NewSuppression } from "../store/merge-suppression.ts";
import type { Store } from "../store/store.ts";
import type { OfAccount } from "../store/whose.ts";
import type { Dependencies } from "./dependencies.ts";
import { createFieldFaults, type FieldFaults } from "./field-faults.ts";
import { pageOfAccount } from "./page.ts";
import { resolveAccount } from "./resolve-account.ts";
import { toSuppression } from "./to-proto.ts";

/** Addresses that receive nothing of an account. */
export const suppressions = defineArea({
  service: SuppressionService,
  callers: {
    addSuppression: OPERATOR_ONLY,
    removeSuppression: OPERATOR_ONLY,
    listSuppressions: OPERATOR_ONLY,
  },
  audits: {
    addSuppression: changes("suppression.add", "address"),
    removeSuppression: changes("suppression.remove", "address"),
    listSuppressions: LOOKS,
  },
  handlers: ({ store, clock }: Pick<Dependencies, "store" | "clock">) => ({
    addSuppression: createAddSuppression({ store, clock }),
    removeSuppression: createRemoveSuppression({ store, clock }),
    listSuppressions: createListSuppressions({ store, clock }),
  }),
});

const MAX_DETAIL_LENGTH = 1000;

export interface AddSuppressionOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

function createAddSuppression({ store, clock }: AddSuppressionOptions) {
  return async (
    request: AddSuppressionRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof AddSuppressionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { policy } = request;
    const faults = createFieldFaults();
    if (policy !== "" && !(await account.policies.find(policy))) {
      faults.add("/policy", "policy.unknown", `There is no routing policy "${policy}".`);
    }
    const entry = readSuppression(request, clock.now(), faults);
    const scoped = { ...entry, ...(policy !== "" && { policy }) };
    const suppression = await account.suppressions.add(scoped, audit);
    return { suppression: toSuppression(suppression) };
  };
}

/** @throws Fault request.validation_failed naming everything that is wrong */
function readSuppression(
  request: AddSuppressionRequest,
  now: Date,
  faults: FieldFaults,
): OfAccount<NewSuppression> {
  const { detail } = request;
  const address = readSuppressedAddress(request.address, faults);
  const reason = readReason(request.reason || "manual", faults);
  if (detail.length > MAX_DETAIL_LENGTH) {
    faults.add("/detail", "field.too_long", `The detail has at most ${MAX_DETAIL_LENGTH} characters.`);
  }
  if (hasControl(detail)) faults.add("/detail", "field.invalid", "The detail contains a control character.");
  const expireAt = request.expireAt && timestampDate(request.expireAt);
  // A time that no date can hold is not after now either.
  if (expireAt && !(expireAt > now)) faults.add("/expire_at", "field.invalid", "The end is in the past.");
  if (address === undefined || reason === undefined || faults.found.length > 0)
    throw validationFault(faults.found);
  return {
    addressKey: addressKey(address),
    address,
    reason,
    ...(detail !== "" && { detail }),
    createdAt: now,
    ...(expireAt && { expireAt }),
  };
}

export interface RemoveSuppressionOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

function createRemoveSuppression({ store, clock }: RemoveSuppressionOptions) {
  return async (
    request: RemoveSuppressionRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RemoveSuppressionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const faults = createFieldFaults();
    const address = readSuppressedAddress(request.address, faults);
    if (address === undefined) throw validationFault(faults.found);
    const policy = request.policy || undefined;
    const name = { addressKey: addressKey(address), policy };
    const suppression = await account.suppressions.remove(name, clock.now(), audit);
    if (suppression) return { suppression: toSuppression(suppression) };
    const scope = policy === undefined ? "all mail of the account" : `mail of the policy "${policy}"`;
    throw fault("suppression.unknown", {
      public: `${address} is not suppressed for ${scope}. Nothing was changed.`,
    });
  };
}

export interface ListSuppressionsOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

/** Lists entries by address; an entry's id begins with its account, and the page token is the rest of the last one's. */
export function createListSuppressions({ store, clock }: ListSuppressionsOptions) {
  return async (
    request: ListSuppressionsRequest,
  ): Promise<MessageInitShape<typeof ListSuppressionsResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ suppressions }, page) =>
        suppressions.list({ ...page, now: clock.now(), ...readFilter(request) }),
      placeOf: ({ _id, accountId }) => _id.slice(accountId.length + 1),
    });
    return { suppressions: entries.map(toSuppression), nextPageToken };
  };
}

/** @throws Fault request.validation_failed */
function readFilter({ address: text, reason: name }: ListSuppressionsRequest) {
  const faults = createFieldFaults();
  const address = text === "" ? undefined : readSuppressedAddress(text, faults);
  const reason = name === "" ? undefined : readReason(name, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return withoutUndefined({ addressKey: address === undefined ? undefined : addressKey(address), reason });
}

function readSuppressedAddress(text: string, faults: FieldFaults): string | undefined {
  const result = parseAddress(text);
  if (result.ok) return result.address;
  faults.add("/address", result.code, result.message);
  return undefined;
}

function readReason(text: string, faults: FieldFaults): SuppressionReason | undefined {
  const reason = suppressionReasons.find((one) => one === text);
  if (reason === undefined) {
    faults.add("/reason", "field.invalid", `"${text}" is none of ${suppressionReasons.join(", ")}.`);
  }
  return reason;
}
