import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { OperatorScope } from "./operator-scope.ts";

/**
 * Finds a message. A message of another account is unknown, as if it did not exist.
 * @throws Fault message.unknown, message.unreadable
 */
export async function findMessage(
  { messages }: Pick<OperatorScope, "messages">,
  id: string,
): Promise<MessageDocument> {
  const message = await messages.findById(id);
  if (message) return message;
  throw unknownMessage(id);
}

/**
 * Finds the message with this id, or the first message of the submission with this trace id.
 * @throws Fault message.unknown, message.unreadable
 */
export async function findMessageOrSubmission(
  scope: Pick<OperatorScope, "messages">,
  id: string,
): Promise<MessageDocument> {
  if (!id.startsWith("sx_")) return findMessage(scope, id);
  const message = await scope.messages.findByTraceId(id);
  if (message) return message;
  throw unknownMessage(id);
}

export function unknownMessage(id: string): Fault {
  return fault("message.unknown", { public: say("no_message", { id }) });
}
