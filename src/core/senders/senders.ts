import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ListSendersRequest,
  type ListSendersResponseSchema,
  SenderService,
} from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { parseSender, type SenderName } from "../../message/address/senders.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { FRONT_ENDS, OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import type { SenderDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import { permitsMail } from "../domains/domain-needs.ts";
import { searchOfAccount } from "../page.ts";
import { readChoice, readSearch } from "../read-list-filter.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { toSender } from "../to-proto.ts";
import {
  createConfirmSender,
  createFindSenderLink,
  createVerifyByLink,
  type SenderNeeds,
} from "./verify-by-link.ts";

/** Addresses and domains from which an account may send. */
export const senders: Area<SenderNeeds> = defineArea(SenderService, {
  addSender: [
    OPERATOR_ONLY,
    changes("sender.add", "value"),
    ({ store, settings, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const fresh = {
          _id: newId("snd", now),
          ...readSender(request.value),
          verifiedAt: now,
          verifiedBy: "operator",
        } as const;
        const sender = await account.senders.add(fresh, audit);
        settings.forget();
        return { sender: toSender(sender) };
      },
  ],
  verifySender: [permitted("senders.write"), changes("sender.verify", "value"), createVerifyByLink],
  listSenders: [permitted("senders.read"), READS, createListSenders],
  /** @throws Fault account.unknown, resource.in_use, sender.unknown, also for an invalid sender */
  removeSender: [
    permitted("senders.write"),
    changes("sender.remove", "value"),
    ({ store, settings, clock }) =>
      async (request, { audit }) => {
        const result = parseSender(request.value);
        const account = await resolveAccount(store, request);
        const removal = createRemoval({ kind: "sender", name: request.value }, request);
        const { check } = removal;
        const remove = async (value: string) => {
          const isProven = await permitsMail(account, domainOf(value), clock.now());
          return account.senders.remove(value, audit, { check, isProven });
        };
        if (!result.ok || !(await remove(result.sender.value))) {
          throw fault("sender.unknown", { public: say("no_sender", { sender: request.value }) });
        }
        settings.forget();
        return removal.answer();
      },
  ],
  findSenderLink: [FRONT_ENDS, READS, createFindSenderLink],
  confirmSender: [FRONT_ENDS, changes("sender.confirm"), createConfirmSender],
});

/** @throws Fault request.validation_failed */
function readSender(input: string): SenderName {
  const result = parseSender(input);
  if (!result.ok) throw validationFault([{ pointer: "/value", code: result.code, message: result.message }]);
  return result.sender;
}

/** Lists senders of one account by value. */
export function createListSenders({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: ListSendersRequest): Promise<MessageInitShape<typeof ListSendersResponseSchema>> => {
    const matches = readSearch(request.search);
    const state = readChoice("state", request.state, senderStates);
    const { entries, nextPageToken } = await searchOfAccount(request, {
      store,
      list: ({ senders }, page) => senders.list(page),
      cursorOf: ({ value }) => value,
      ...((matches || state) && {
        matches: ({ value, verifiedAt }: SenderDocument) =>
          (matches?.(value) ?? true) && (!state || state === (verifiedAt ? "verified" : "pending")),
      }),
    });
    return { senders: entries.map(toSender), nextPageToken };
  };
}

const senderStates = ["verified", "pending"] as const;
