import { create, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import {
  EntrySchema,
  type ExportEntriesRequest,
  type ExportEntriesResponseSchema,
} from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { csvLine } from "../../shared/csv-line.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { AuditEntryDocument } from "../../store/audit/entry-document.ts";
import { readThroughOutage } from "../../store/read-through-outage.ts";
import { type AuditNeeds, logOf } from "./log-of.ts";
import { readFilter } from "./read-filter.ts";
import { toEntry } from "./to-entry.ts";

/** A part of the export, about 300 KB. */
const ENTRIES_AT_ONCE = 500;

/** Columns of a CSV export, with their values. */
const columns: Readonly<Record<string, (entry: AuditEntryDocument) => string>> = {
  id: ({ _id }) => _id,
  at: ({ at }) => at.toISOString(),
  account_id: ({ accountId }) => accountId,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  session_id: ({ sessionId = "" }) => sessionId,
  client_address: ({ clientAddress = "" }) => clientAddress,
  client_agent: ({ clientAgent = "" }) => clientAgent,
  action: ({ action }) => action,
  target_kind: ({ target }) => target.kind,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason = "" }) => reason,
  count: ({ count = 1 }) => String(count),
  since: ({ since }) => since?.toISOString() ?? "",
  trace_id: ({ traceId }) => traceId,
  changes: ({ changes }) => (changes.length === 0 ? "" : JSON.stringify(changes)),
};

interface Format {
  readonly heading: string;
  readonly lineOf: (entry: AuditEntryDocument) => string;
}

const formats: Readonly<Record<string, Format>> = {
  csv: {
    heading: csvLine(Object.keys(columns)),
    lineOf: (entry) => csvLine(Object.values(columns).map((cell) => cell(entry))),
  },
  ndjson: {
    heading: "",
    lineOf: (entry) => {
      const options = { useProtoFieldName: true, alwaysEmitImplicit: true };
      return `${toJsonString(EntrySchema, create(EntrySchema, toEntry(entry)), options)}\n`;
    },
  },
};

interface ExportNeeds extends AuditNeeds {
  readonly clock: Pick<Clock, "now">;
}

/** @throws Fault account.unknown, auth.caller_forbidden, request.validation_failed */
export function createExportEntries({ store, clock, auditActions }: ExportNeeds) {
  return async function* (
    request: ExportEntriesRequest,
    context: Pick<HandlerContext, "actor" | "audit" | "signal">,
  ): AsyncGenerator<MessageInitShape<typeof ExportEntriesResponseSchema>, void> {
    const { heading, lineOf } = readFormat(request.format || "csv");
    const asked = readFilter(request.filter, { auditActions });
    const log = await logOf(store, request, context);
    // Entries written during the export would only extend it.
    const now = clock.now();
    const until = asked.until && asked.until < now ? asked.until : now;
    await log.add(context.audit, { target: { kind: "audit", id: "", name: "" }, outcome: "read" });
    if (heading !== "") yield { data: Buffer.from(heading) };
    let beforeId: string | undefined;
    do {
      context.signal.throwIfAborted();
      const page = { ...asked, until, beforeId, limit: ENTRIES_AT_ONCE };
      const found = await readThroughOutage(() => log.list(page));
      if (found.length > 0) yield { data: Buffer.from(found.map(lineOf).join("")) };
      beforeId = found.length < ENTRIES_AT_ONCE ? undefined : found.at(-1)?._id;
    } while (beforeId !== undefined);
  };
}

/** @throws Fault request.validation_failed */
function readFormat(given: string): Format {
  const format = Object.hasOwn(formats, given) ? formats[given] : undefined;
  if (format) return format;
  const message = say("none_of", { given, allowed: Object.keys(formats) });
  throw validationFault([{ pointer: "/format", code: "field.invalid", message }]);
}
