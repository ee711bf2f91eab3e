import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ExportSuppressionsRequest,
  ExportSuppressionsResponseSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { csvLine } from "../../shared/csv-line.ts";
import type { SuppressionDocument } from "../../store/documents.ts";
import { readThroughOutage } from "../../store/read-through-outage.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readFilter, searchFor } from "./read-filter.ts";

/** A part of the export, about 100 KB. */
const ENTRIES_AT_ONCE = 500;

/** Columns of the export with their values. An import uses the same names, except for the message. */
const columns: Readonly<Record<string, (entry: SuppressionDocument) => string>> = {
  address: ({ address }) => address,
  reason: ({ reason }) => reason,
  policy: ({ policy = "" }) => policy,
  message_id: ({ messageId = "" }) => messageId,
  detail: ({ detail = "" }) => detail,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  expire_at: ({ expireAt }) => expireAt?.toISOString() ?? "",
};

const lineOf = (entry: SuppressionDocument) => csvLine(Object.values(columns).map((cell) => cell(entry)));

interface ExportNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** @throws Fault account.unknown, request.validation_failed */
export function createExportSuppressions({ store, clock }: ExportNeeds) {
  return async function* (
    request: ExportSuppressionsRequest,
    { audit, signal }: Pick<HandlerContext, "audit" | "signal">,
  ): AsyncGenerator<MessageInitShape<typeof ExportSuppressionsResponseSchema>, void> {
    const filter = readFilter(request);
    const account = await resolveAccount(store, request);
    const now = clock.now();
    await account.audit.add(audit, {
      target: { kind: "suppression", id: "", name: "" },
      outcome: "read",
    });
    yield { data: Buffer.from(csvLine(Object.keys(columns))) };
    const { read, matches = () => true, cursorOf } = searchFor(filter, now);
    let after: string | undefined;
    do {
      signal.throwIfAborted();
      const page = { after, limit: ENTRIES_AT_ONCE };
      const found = await readThroughOutage(() => read(account.suppressions, page));
      const lines = found.filter(matches).map(lineOf);
      if (lines.length > 0) yield { data: Buffer.from(lines.join("")) };
      const last = found.length < ENTRIES_AT_ONCE ? undefined : found.at(-1);
      after = last && cursorOf(last);
    } while (after !== undefined);
  };
}
