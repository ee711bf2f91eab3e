import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ExportMessagesRequest,
  ExportMessagesResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { Store } from "../../store/store.ts";
import { readMessageFilter } from "../read-message-filter.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { Slots } from "../slots.ts";
import { readFormat } from "./formats.ts";

/** A part is sent when it has this size, measured in characters because a message can have 25 KB of metadata. */
const PART_CHARACTERS = 64 * 1024;
/** Number of searches without a match after which an empty part shows the client that the work continues. */
const SEARCHES_IN_VAIN = 100;

interface ExportNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly slots: Slots;
}

/** @throws Fault account.unknown, request.validation_failed, service.busy, store.unavailable */
export function createExportMessages({ store, slots }: ExportNeeds) {
  return async function* (
    request: ExportMessagesRequest,
    { audit, signal }: Pick<HandlerContext, "audit" | "signal">,
  ): AsyncGenerator<MessageInitShape<typeof ExportMessagesResponseSchema>, void> {
    const { heading, lineOf } = readFormat(request.format);
    const filter = readMessageFilter({ state: "", ...withoutUndefined({ filter: request.filter }) });
    const account = await resolveAccount(store, request);
    const giveBack = slots.take(account.id);
    try {
      await account.audit.add(audit, { target: { kind: "message", id: "", name: "" }, outcome: "read" });
      let part = heading;
      let inVain = 0;
      for await (const found of account.messages.all(filter)) {
        signal.throwIfAborted();
        inVain = found.length > 0 ? 0 : inVain + 1;
        const replies = await account.events.lastReplies(found);
        for (const message of found) {
          part += lineOf(message, replies.get(message._id));
          if (part.length < PART_CHARACTERS) continue;
          yield { data: Buffer.from(part) };
          part = "";
        }
        if (inVain < SEARCHES_IN_VAIN) continue;
        yield { data: Buffer.from(part) };
        part = "";
        inVain = 0;
      }
      yield { data: Buffer.from(part) };
    } finally {
      giveBack();
    }
  };
}
