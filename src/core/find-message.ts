import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { OperatorScope } from "./operator-scope.ts";

/**
 * One of another account is as unknown as one that never was.
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
 * The first message of a submission, or the one of this id.
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
