import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetSuppressionRequest,
  GetSuppressionResponseSchema,
  ListSuppressionsRequest,
  ListSuppressionsResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { nameOfId } from "../../shared/suppression-id.ts";
import type { Store } from "../../store/store.ts";
import { searchOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toSuppression } from "../to-proto.ts";
import { readFilter, searchFor } from "./read-filter.ts";

export interface ListSuppressionsOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** Lists entries by address, or newest first if the filter contains a time. */
export function createListSuppressions({ store, clock }: ListSuppressionsOptions) {
  return async (
    request: ListSuppressionsRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListSuppressionsResponseSchema>> => {
    const { read, ...search } = searchFor(readFilter(request), clock.now());
    const { entries, nextPageToken } = await searchOfAccount(request, {
      store,
      list: ({ suppressions }, page) => read(suppressions, page),
      ...search,
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
    throw fault("suppression.unknown", { public: say("entry_ended") });
  };
}
