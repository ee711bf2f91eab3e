import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetSuppressionRequest,
  GetSuppressionResponseSchema,
  ListSuppressionsRequest,
  ListSuppressionsResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { parseDomain } from "../../message/address/senders.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { nameOfId } from "../../shared/suppression-id.ts";
import type { Store } from "../../store/store.ts";
import type { SuppressionFilter } from "../../store/suppression-page.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toSuppression } from "../to-proto.ts";
import { readAddressField, readReason } from "./read-suppression.ts";

export interface ListSuppressionsOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** Lists entries by address; an entry's id begins with its account, and the page token is the rest of the last one's. */
export function createListSuppressions({ store, clock }: ListSuppressionsOptions) {
  return async (
    request: ListSuppressionsRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListSuppressionsResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ suppressions }, page) =>
        suppressions.list({ ...page, now: clock.now(), ...readFilter(request) }),
      placeOf: ({ _id, accountId }) => _id.slice(accountId.length + 1),
      context,
    });
    return { suppressions: entries.map(toSuppression), nextPageToken };
  };
}

/** @throws Fault account.unknown, suppression.unknown */
export function createGetSuppression({ store, clock }: ListSuppressionsOptions) {
  return async (
    request: GetSuppressionRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof GetSuppressionResponseSchema>> => {
    const account = await resolveAccount(store, request, context);
    const name = nameOfId(request.id);
    const entry = name && (await account.suppressions.find(name, clock.now()));
    if (entry) return { suppression: toSuppression(entry) };
    throw fault("suppression.unknown", { public: "There is no such entry, or it has ended." });
  };
}

/** Nobody's id is longer. */
const MAX_ID_LENGTH = 100;

type FilterRequest = Pick<
  ListSuppressionsRequest,
  "address" | "reason" | "domain" | "policy" | "accountWide" | "messageId"
>;

/** @throws Fault request.validation_failed naming everything that is wrong */
export function readFilter(request: FilterRequest): SuppressionFilter {
  const { reason, policy, accountWide, messageId } = request;
  const faults = createFieldFaults();
  if (accountWide && policy !== "") {
    const message = "An entry is for one routing policy or for all mail of the account, not for both.";
    faults.add("/policy", "field.conflict", message);
  }
  if (messageId.length > MAX_ID_LENGTH) {
    faults.add("/message_id", "field.too_long", "There is no such id.");
  }
  const filter = {
    addressKey: request.address === "" ? undefined : readAddressField(request.address, faults)?.addressKey,
    domain: request.domain === "" ? undefined : readDomain(request.domain, faults),
    reason: reason === "" ? undefined : readReason(reason, faults),
    policy: accountWide ? null : policy || undefined,
    messageId: messageId || undefined,
  };
  if (faults.found.length > 0) throw validationFault(faults.found);
  return filter;
}

function readDomain(text: string, faults: FieldFaults): string | undefined {
  const result = parseDomain(text.replace(/^\*?@/, ""));
  if (result.ok) return result.domain;
  faults.add("/domain", result.code, result.message);
  return undefined;
}
