import { derivedMessageId } from "../../shared/ids.ts";
import { DSN_SUBJECTS } from "./dsn-text.ts";
import type { DeliveryAction } from "./report.ts";

const actions = Object.keys(DSN_SUBJECTS) as DeliveryAction[];

/** The id of the notice that tells a sender of an outcome of a message: there is one for each, however often it is made. */
export function noticeIdOf(messageId: string, action: DeliveryAction): string {
  return derivedMessageId(messageId, `dsn ${action}`);
}

/** The ids of all notices that there may be of a message. */
export function noticeIdsOf(messageId: string): string[] {
  return actions.map((action) => noticeIdOf(messageId, action));
}
