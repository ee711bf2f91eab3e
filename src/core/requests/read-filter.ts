import type { RequestFilter } from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { traceTime } from "../../shared/ids.ts";
import { markOf, type RequestEntry, statusClass } from "../../store/request-store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { readSpan } from "../read-span.ts";

/** Search criteria: the mark selects by an index, the others are compared entry by entry. */
export interface RequestSearch {
  readonly mark: string | undefined;
  readonly from: Date | undefined;
  readonly until: Date | undefined;
  matches(entry: RequestEntry): boolean;
}

const STATUS = /^(?:[1-5]xx|[1-5]\d\d)$/;
const MAX_TEXT_LENGTH = 200;
const texts = { keyId: "key_id", method: "method", route: "route", code: "code" } as const;

/** @throws Fault request.validation_failed with all errors */
export function readFilter(filter: RequestFilter | undefined): RequestSearch {
  if (!filter) return { mark: undefined, from: undefined, until: undefined, matches: () => true };
  const faults = createFieldFaults();
  const { keyId, method, route, status, code, traceId } = filter;
  for (const [field, name] of Object.entries(texts) as [keyof typeof texts, string][]) {
    if (filter[field].length <= MAX_TEXT_LENGTH) continue;
    faults.add(`/filter/${name}`, "field.too_long", say("at_most_characters", { max: MAX_TEXT_LENGTH }));
  }
  if (status !== "" && !STATUS.test(status)) {
    faults.add("/filter/status", "field.invalid", say("status_class"));
  }
  const traced = traceId === "" ? undefined : traceTime(traceId);
  if (traceId !== "" && !traced) {
    faults.add("/filter/trace_id", "field.invalid", say("trace_id"));
  }
  const { from, until } = readSpan(filter, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  const isClass = status.endsWith("xx");
  const is = (wanted: string, found: string) => wanted === "" || wanted === found;
  return {
    mark: markFor({ keyId, route, status, code }),
    // A trace id contains the time of its request.
    from: traced && !(from && from > traced) ? traced : from,
    until: traced && !(until && until <= traced) ? new Date(traced.getTime() + 1) : until,
    matches: (entry) =>
      is(keyId, entry.keyId) &&
      is(method, entry.method) &&
      is(route, entry.route) &&
      is(status, isClass ? statusClass(entry.status) : String(entry.status)) &&
      is(code, entry.code ?? "") &&
      is(traceId, entry.traceId) &&
      !(from && entry.at < from) &&
      !(until && entry.at >= until),
  };
}

/** The criterion that the fewest documents are likely to match. */
function markFor({
  keyId,
  route,
  status,
  code,
}: Pick<RequestFilter, "keyId" | "route" | "status" | "code">): string | undefined {
  const isRefusal = status.startsWith("4") || status.startsWith("5");
  if (code !== "") return markOf("code", code);
  if (status !== "" && isRefusal) return markOf("status", status);
  if (keyId !== "") return markOf("key", keyId);
  if (status !== "") return markOf("status", status);
  return route === "" ? undefined : markOf("route", route);
}
