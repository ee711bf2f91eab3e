import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ImportedRowSchema,
  ImportSuppressionsRequest,
  ImportSuppressionsResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { NewSuppression } from "../../store/merge-suppression.ts";
import type { OfAccount } from "../../store/owner.ts";
import type { Addition } from "../../store/plan-additions.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { concernedRules, type SuppressedNames } from "../alerts/suppressed-recipients.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type CsvTable, readCsv } from "./read-csv.ts";
import { type ReadRow, readRow } from "./read-row.ts";
import { readReason } from "./read-suppression.ts";

type Entry = OfAccount<NewSuppression>;

interface ImportNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** Number of rows in one transaction. */
const ROWS_AT_ONCE = 500;
/** Maximum number of policies in one file: each needs a query. */
const MAX_POLICIES = 100;
/** Maximum length of an invalid address in the answer. */
const MAX_SHOWN_LENGTH = 320;

/**
 * Imports a file: reads it completely, and adds the valid rows, or returns the result that an import would have.
 * @throws Fault account.unknown, policy.unknown, request.validation_failed for errors of the whole file
 */
export function createImportSuppressions({ store, clock }: ImportNeeds) {
  return async (
    request: ImportSuppressionsRequest,
    { audit, signal }: Pick<HandlerContext, "audit" | "signal">,
  ): Promise<MessageInitShape<typeof ImportSuppressionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const now = clock.now();
    const faults = createFieldFaults();
    const reason = readReason(request.reason || "manual", faults);
    const policy = request.policy || undefined;
    if (policy !== undefined && !(await account.policies.find(policy))) {
      faults.add("/policy", "policy.unknown", say("no_policy", { name: policy }));
    }
    if (reason === undefined || faults.found.length > 0) throw validationFault(faults.found);
    const table = await readCsv(request.csv);
    const policies = await policiesAmong(table, policy, account);
    const read = table.rows.map((row) => readRow(row, { now, reason, policy, policies }));
    const entries = read.flatMap((row) => ("entry" in row ? [row.entry] : []));
    const additions = request.preview
      ? await account.suppressions.preview(entries, now)
      : await addInGroups(entries, (group) => {
          signal.throwIfAborted();
          return account.suppressions.addMany(group, now, audit);
        });
    const rows = rowsOf(table, read, additions);
    const counts = { added: 0, strengthened: 0, alreadyThere: 0, refused: 0 };
    for (const { outcome } of rows) counts[counterOf[outcome]]++;
    const columns = table.columns.map(({ name, field = "" }) => ({ name, field }));
    const concerned = await concernedRules(account, byPolicy(entries));
    return { preview: request.preview, counts, columns, rows, ...concerned };
  };
}

/** Policies of the account that occur in the rows. */
async function policiesAmong(
  { rows }: CsvTable,
  otherwise: string | undefined,
  account: AccountStore,
): Promise<ReadonlySet<string>> {
  const named = new Set(rows.flatMap(({ cells }) => cells.policy || []));
  if (named.size > MAX_POLICIES) {
    const message = say("rows_policies", { max: MAX_POLICIES });
    throw validationFault([{ pointer: "/csv", code: "field.too_many", message }]);
  }
  const known = new Set(otherwise === undefined ? [] : [otherwise]);
  for (const name of named) if (await account.policies.find(name)) known.add(name);
  return known;
}

/** Addresses by policy, including those for all mail. */
function byPolicy(entries: readonly Entry[]): SuppressedNames[] {
  const keys = new Map<string | undefined, string[]>();
  for (const { policy, addressKey } of entries) {
    const known = keys.get(policy);
    if (known) known.push(addressKey);
    else keys.set(policy, [addressKey]);
  }
  return [...keys].map(([policy, keys]) => ({ policy, keys }));
}

/** Adds each group completely. A fault contains the changes of the earlier groups. */
async function addInGroups(
  entries: readonly Entry[],
  add: (group: readonly Entry[]) => Promise<readonly Addition[]>,
): Promise<Addition[]> {
  const additions: Addition[] = [];
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
    try {
      additions.push(...(await add(entries.slice(from, from + ROWS_AT_ONCE))));
    } catch (thrown) {
      if (from === 0 || !(thrown instanceof Fault)) throw thrown;
      const { code, message: internal, cause, public: detail } = thrown;
      const rows = { actual: from, max: entries.length };
      throw fault(code, { public: say("rows_imported", { detail, ...rows }), internal, cause });
    }
  }
  return additions;
}

type Outcome = Addition["outcome"] | "refused";

const counterOf = {
  added: "added",
  strengthened: "strengthened",
  already_there: "alreadyThere",
  refused: "refused",
} as const satisfies Record<Outcome, string>;

type ImportedRow = MessageInitShape<typeof ImportedRowSchema> & { readonly outcome: Outcome };

function rowsOf({ rows }: CsvTable, read: readonly ReadRow[], additions: readonly Addition[]): ImportedRow[] {
  const done = additions[Symbol.iterator]();
  return rows.map(({ row, cells: { address = "" } }, index): ImportedRow => {
    const shown = { row, address: address.slice(0, MAX_SHOWN_LENGTH).toWellFormed() };
    const result = read[index];
    if (result && "refused" in result) {
      const { refused, field } = result;
      return { ...shown, outcome: "refused", code: refused.code, field, message: refused.message.text };
    }
    const { outcome } = done.next().value as Addition;
    return { ...shown, outcome };
  });
}
