import { toJson } from "@bufbuild/protobuf";
import {
  type BulkAction,
  MessageFilterSchema,
  type MessageFilter as RequestedFilter,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { MessageFilter } from "../../message/search/filter.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isMessageId } from "../../shared/ids.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { readMessageFilter } from "../read-message-filter.ts";

const MAX_IDS = 1_000;
/** Maximum length of the description of a filter for people. */
const MAX_ABOUT_LENGTH = 500;

/** Selected messages. */
export type BulkSelection =
  | { readonly ids: readonly string[] }
  /** In the form of the request, because it is stored. */
  | { readonly filter: RequestedFilter };

export interface ReadBulk {
  readonly action: string;
  readonly selection: BulkSelection;
  /** The same text for requests with the same meaning. */
  readonly canonical: string;
  /** For people. */
  readonly about: string;
}

/** @throws Fault request.validation_failed with all errors */
export function readBulk(bulk: BulkAction | undefined, actions: readonly string[]): ReadBulk {
  const faults = createFieldFaults();
  const { action = "", ids: given = [], filter } = bulk ?? {};
  if (!actions.includes(action)) {
    faults.add("/action", "field.invalid", say("none_of", { given: action, allowed: actions }));
  }
  const ids = [...new Set(given)].toSorted();
  if (given.length > MAX_IDS) {
    faults.add("/ids", "field.too_many", say("give_most_ids_filter", { max: MAX_IDS }));
  }
  for (const [index, id] of given.slice(0, MAX_IDS).entries()) {
    if (!isMessageId(id)) faults.add(pointer("ids", index), "field.invalid", say("no_id_message"));
  }
  const shown = filter && (toJson(MessageFilterSchema, filter, { useProtoFieldName: true }) as object);
  if (ids.length > 0 && filter) {
    faults.add("/ids", "field.invalid", say("ids_or_filter"));
  } else if (ids.length === 0 && (!shown || Object.keys(shown).length === 0)) {
    const message = say("give_ids_filter_asks_something_nothing");
    faults.add("/filter", "field.required", message);
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
  if (!filter || !shown) {
    return { action, selection: { ids }, canonical: JSON.stringify([action, ids]), about: idsText(ids) };
  }
  // Errors of the filter are reported now, and not by the job.
  readMessageFilter({ state: "", filter });
  const canonical = JSON.stringify([action, shown], sortedKeys);
  return { action, selection: { filter }, canonical, about: filterText(shown) };
}

/**
 * Selected messages of a filter: those that were accepted before a given time.
 * @throws Fault request.validation_failed
 */
export function frozenFilter(filter: RequestedFilter, at: Date): MessageFilter {
  const read = readMessageFilter({ state: "", filter });
  return { ...read, until: read.until && read.until < at ? read.until : at };
}

const idsText = (ids: readonly string[]) => `${ids.length} given by id`;

function filterText(shown: object): string {
  const text = Object.entries(shown)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  return text.length <= MAX_ABOUT_LENGTH ? text : `${text.slice(0, MAX_ABOUT_LENGTH - 1).toWellFormed()}…`;
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
