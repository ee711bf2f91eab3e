import { webhookTypes } from "../../../contracts/common/webhook-types.ts";
import type { EventPayload } from "../../../contracts/events.ts";
import type { EventFilter } from "../../../gen/hermod/event/v1/event_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { type Cursor, parseCursor } from "./cursor.ts";

/** Selection of events. An undefined field does not restrict it. */
export interface EventChoice {
  readonly accountId: string | undefined;
  readonly types: ReadonlySet<string> | undefined;
  readonly tags: ReadonlySet<string> | undefined;
  readonly policies: ReadonlySet<string> | undefined;
}

export interface EventSearch {
  readonly choice: EventChoice;
  /** undefined: the request contains no cursor. */
  readonly after: Cursor | undefined;
}

const MAX_TYPES = 30;
const MAX_VALUES = 20;
const MAX_LENGTH = 256;

interface EventRequest {
  readonly filter?: EventFilter | undefined;
  readonly after: string;
}

/**
 * @param check adds further errors of the request
 * @throws Fault request.validation_failed with all errors
 */
export function readSearch(request: EventRequest, check?: (faults: FieldFaults) => void): EventSearch {
  const { filter } = request;
  const faults = createFieldFaults();
  const after = parseCursor(request.after);
  if (request.after !== "" && !after)
    faults.add("/after", "field.invalid", say("cursor_earlier_answer_empty"));
  const known: readonly string[] = webhookTypes;
  const values = (name: string, given: readonly string[] = [], most = MAX_VALUES) => {
    if (given.length > most)
      faults.add(`/filter/${name}`, "field.too_long", say("list_at_most", { max: most }));
    given.slice(0, most).forEach((value, index) => {
      const at = `/filter/${name}/${index}`;
      if (value.length > MAX_LENGTH)
        faults.add(at, "field.too_long", say("length_at_most", { max: MAX_LENGTH }));
      else if (name === "types" && !known.includes(value))
        faults.add(at, "field.invalid", say("no_type_events"));
    });
    return given.length > 0 ? new Set(given) : undefined;
  };
  const choice = {
    accountId: filter?.accountId || undefined,
    types: values("types", filter?.types, MAX_TYPES),
    tags: values("tags", filter?.tags),
    policies: values("routing_policies", filter?.routingPolicies),
  };
  check?.(faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { choice, after };
}

/** Whether an event may match, as far as the log document shows. */
export function mayBeWanted(
  { types, tags, policies }: EventChoice,
  { type, messageId }: { readonly type: string; readonly messageId?: string | undefined },
): boolean {
  if (types && !types.has(type)) return false;
  return messageId !== undefined || (!tags && !policies);
}

/** Whether the content of an event matches. */
export function isWanted({ tags, policies }: EventChoice, { data }: EventPayload): boolean {
  if (policies && !("routing_policy" in data && policies.has(data.routing_policy ?? ""))) return false;
  return !tags || ("tags" in data && data.tags.some((tag) => tags.has(tag)));
}
