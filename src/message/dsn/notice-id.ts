import { derivedMessageId } from "../../shared/ids.ts";
import { DSN_SUBJECTS } from "./dsn-text.ts";
import type { DeliveryAction } from "./report.ts";

const actions = Object.keys(DSN_SUBJECTS) as DeliveryAction[];

/** Id of the notice of an outcome of a message: constant for each outcome. */
export function noticeIdOf(messageId: string, action: DeliveryAction): string {
  return derivedMessageId(messageId, `dsn ${action}`);
}

/** Ids of all possible notices of a message. */
export function noticeIdsOf(messageId: string): string[] {
  return actions.map((action) => noticeIdOf(messageId, action));
}
