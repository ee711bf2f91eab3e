import { fault } from "../shared/fault.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { Store } from "../store/store.ts";

/** An id, and the account that it has to be of; empty: whichever. */
export interface MessageName {
  readonly id: string;
  readonly accountId: string;
}

/**
 * One of another account is as unknown as one that never was.
 * @throws Fault message.unknown
 */
export async function findMessage(
  { messages }: Pick<Store, "messages">,
  { id, accountId }: MessageName,
): Promise<MessageDocument> {
  const message = await messages.findById(id);
  if (message && (accountId === "" || message.accountId === accountId)) return message;
  throw unknown(id);
}

/**
 * The first message of a submission, or the one of this id.
 * @throws Fault message.unknown
 */
export async function findMessageOrSubmission(
  store: Pick<Store, "messages">,
  name: MessageName,
): Promise<MessageDocument> {
  const { id, accountId } = name;
  if (!id.startsWith("sx_")) return findMessage(store, name);
  const message = await store.messages.findByTraceId(id, accountId);
  if (message) return message;
  throw unknown(id);
}

const unknown = (id: string) => fault("message.unknown", { public: `There is no message "${id}".` });
