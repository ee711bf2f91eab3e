import type { FieldFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { parseMoment } from "../../shared/parse-moment.ts";
import type { SuppressionReason } from "../../store/documents.ts";
import type { NewSuppression } from "../../store/merge-suppression.ts";
import type { OfAccount } from "../../store/owner.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import type { CsvRow } from "./read-csv.ts";
import { checkDomainTerms, readAddressField, readDetail, readExpiry } from "./read-suppression.ts";

export interface RowNeeds {
  readonly now: Date;
  /** Reason for rows without one. */
  readonly reason: SuppressionReason;
  /** Policy for rows without one; undefined: all mail of the account. */
  readonly policy: string | undefined;
  /** Policies of the account that occur in rows. */
  readonly policies: ReadonlySet<string>;
}

export type ReadRow =
  | { readonly entry: OfAccount<NewSuppression> }
  | { readonly refused: Pick<FieldFault, "code" | "message">; readonly field: string };

/** Names of the reasons in other services, in lower case and with underscores. */
const reasonNames: Readonly<Record<SuppressionReason, readonly string[]>> = {
  hard_bounce: ["hard_bounce", "hardbounce", "bounce", "bounced", "invalid"],
  manual: ["manual", "manual_suppression", "manualsuppression"],
  unsubscribe: ["unsubscribe", "unsubscribed", "opt_out"],
  complaint: ["complaint", "spam_complaint", "spamcomplaint", "spam_report", "spam", "abuse"],
};
const reasonOf = new Map(
  Object.entries(reasonNames).flatMap(([reason, names]) =>
    names.map((name) => [name, reason as SuppressionReason] as const),
  ),
);

/** Reads one row of an import. A row is refused with its first error. */
export function readRow({ cells, isTooLong }: CsvRow, needs: RowNeeds): ReadRow {
  const { address = "", detail = "" } = cells;
  const { now } = needs;
  const faults = createFieldFaults();
  if (isTooLong) faults.add("", "field.unknown", say("row_more_cells_than_first_row"));
  const whom = readAddressField(address, faults);
  const reason = readReason(cells.reason, needs.reason, faults);
  const policy = cells.policy || needs.policy;
  if (policy !== undefined && !needs.policies.has(policy)) {
    faults.add("/policy", "policy.unknown", say("no_policy", { name: policy }));
  }
  readDetail(detail, faults);
  const createdAt = readTime(cells.created_at, "/created_at", faults) ?? now;
  const expireAt = readTime(cells.expire_at, "/expire_at", faults);
  readExpiry(expireAt, { beginsAt: createdAt, now }, faults);
  const scope = policy === undefined ? {} : { policy };
  if (whom) checkDomainTerms(whom, { reason, ...scope }, faults);
  const [wrong] = faults.found;
  if (wrong || !whom) {
    const { pointer = "", ...refused } = wrong ?? { code: "address.empty", message: say("no_address") };
    return { refused, field: pointer.slice(1) };
  }
  return {
    entry: {
      address: whom.address,
      addressKey: whom.addressKey,
      reason,
      ...scope,
      ...(detail !== "" && { detail }),
      createdAt,
      ...(expireAt && { expireAt }),
    },
  };
}

function readReason(text: string | undefined, otherwise: SuppressionReason, faults: FieldFaults) {
  if (!text) return otherwise;
  const reason = reasonOf.get(text.toLowerCase().replace(/[\s-]+/g, "_"));
  if (reason === undefined) {
    const allowed = Object.keys(reasonNames);
    faults.add("/reason", "field.invalid", say("none_of", { given: text, allowed }));
  }
  return reason ?? otherwise;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?: ?(?:UTC|Z))?$/;
const UNIX_SECONDS = /^\d{9,11}$/;

/** RFC 3339, a day or a time in UTC, or seconds since 1970. Other forms are ambiguous. */
function readTime(text: string | undefined, pointer: string, faults: FieldFaults): Date | undefined {
  if (!text) return undefined;
  const [, day, time] = UTC_TIME.exec(text) ?? [];
  const at = UNIX_SECONDS.test(text)
    ? new Date(Number(text) * 1000)
    : parseMoment(DAY.test(text) ? `${text}T00:00:00Z` : day ? `${day}T${time}Z` : text);
  if (at) return at;
  const message = say("no_time", { given: text });
  faults.add(pointer, "field.invalid", message);
  return undefined;
}
