import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type AddSenderRequest,
  type AddSenderResponseSchema,
  type ListSendersRequest,
  type ListSendersResponseSchema,
  SenderService,
} from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { parseSender, type SenderName } from "../message/address/senders.ts";
import { defineArea } from "../rpc/area.ts";
import { OPERATOR_ONLY } from "../rpc/callers.ts";
import type { Clock } from "../shared/clock.ts";
import { validationFault } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";
import type { Store } from "../store/store.ts";
import type { AccountSettings } from "./access/account-settings.ts";
import type { Dependencies } from "./dependencies.ts";
import { pageOfAccount } from "./page.ts";
import { resolveAccount } from "./resolve-account.ts";
import { toSender } from "./to-proto.ts";

/** Addresses and domains that mail of an account may come from. */
export const senders = defineArea({
  service: SenderService,
  callers: { addSender: OPERATOR_ONLY, listSenders: OPERATOR_ONLY },
  handlers: ({ store, settings, clock }: Pick<Dependencies, "store" | "settings" | "clock">) => ({
    addSender: createAddSender({ store, settings, clock }),
    listSenders: createListSenders({ store }),
  }),
});

export interface AddSenderOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
}

function createAddSender({ store, settings, clock }: AddSenderOptions) {
  return async (request: AddSenderRequest): Promise<MessageInitShape<typeof AddSenderResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const now = clock.now();
    const sender = await account.senders.add({
      _id: newId("snd", now),
      ...readSender(request.value),
      verifiedAt: now,
    });
    settings.forget();
    return { sender: toSender(sender) };
  };
}

/** @throws Fault request.validation_failed */
function readSender(input: string): SenderName {
  const result = parseSender(input);
  if (!result.ok) throw validationFault([{ pointer: "/value", code: result.code, message: result.message }]);
  return result.sender;
}

/** Senders of one account, by value. */
export function createListSenders({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: ListSendersRequest): Promise<MessageInitShape<typeof ListSendersResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ senders }, page) => senders.list(page),
      placeOf: ({ value }) => value,
    });
    return { senders: entries.map(toSender), nextPageToken };
  };
}
