import type { DeliveryFilter } from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  answeredOf,
  type WebhookAnswered,
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  webhookAnswers,
  webhookDeliveryStates,
} from "../../store/webhook-delivery-documents.ts";
import type { WebhookDeliveryFilter } from "../../store/webhook-delivery-store.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readSpan } from "../read-span.ts";

type Search = Omit<WebhookDeliveryFilter, "after" | "limit">;
type Searched = Pick<
  WebhookDeliveryDocument,
  "endpointId" | "messageId" | "eventId" | "type" | "state" | "tries"
>;

/** Search for deliveries of an account. */
export interface DeliverySearch {
  /** Condition that an index answers: the one that the fewest deliveries are likely to match. */
  readonly lead: Search;
  /** The other conditions; undefined: there are none. */
  readonly matches: ((delivery: Searched) => boolean) | undefined;
}

const MAX_TEXT_LENGTH = 200;
const texts = {
  endpointId: "endpoint_id",
  type: "type",
  messageId: "message_id",
  eventId: "event_id",
} as const;

/** @throws Fault request.validation_failed with all errors */
export function readDeliveryFilter(filter: DeliveryFilter | undefined): DeliverySearch {
  if (!filter) return { lead: {}, matches: undefined };
  const faults = createFieldFaults();
  for (const [field, name] of Object.entries(texts) as [keyof typeof texts, string][]) {
    if (filter[field].length <= MAX_TEXT_LENGTH) continue;
    faults.add(`/filter/${name}`, "field.too_long", say("at_most_characters", { max: MAX_TEXT_LENGTH }));
  }
  const state = readState(filter.state, "/filter/state", faults);
  const answered = readAnswered(filter.status, "/filter/status", faults);
  const span = withoutUndefined(readSpan(filter, faults));
  if (faults.found.length > 0) throw validationFault(faults.found);
  const text = (field: keyof typeof texts) => filter[field] || undefined;
  const wanted = {
    endpointId: text("endpointId"),
    messageId: text("messageId"),
    eventId: text("eventId"),
    type: text("type"),
    state,
    answered,
  };
  return { lead: { ...leadOf(wanted), ...span }, matches: othersOf(wanted) };
}

/** @returns undefined: any state */
export function readState(text: string, at: string, faults: FieldFaults): WebhookDeliveryState | undefined {
  const state = webhookDeliveryStates.find((one) => one === text);
  if (!state && text !== "")
    faults.add(at, "field.invalid", say("state_one_of", { allowed: webhookDeliveryStates }));
  return state;
}

/** @returns undefined: any answer */
export function readAnswered(text: string, at: string, faults: FieldFaults): WebhookAnswered | undefined {
  const answered = webhookAnswers.find((one) => one === text);
  if (!answered && text !== "")
    faults.add(at, "field.invalid", say("value_one_of", { allowed: webhookAnswers }));
  return answered;
}

/** Whether the last attempt of a delivery got an answer of this class. */
export function isAnswered({ tries }: Pick<Searched, "tries">, answered: WebhookAnswered): boolean {
  const last = tries.at(-1);
  return last !== undefined && answeredOf(last) === answered;
}

interface Wanted {
  readonly endpointId: string | undefined;
  readonly messageId: string | undefined;
  readonly eventId: string | undefined;
  readonly type: string | undefined;
  readonly state: WebhookDeliveryState | undefined;
  readonly answered: WebhookAnswered | undefined;
}

/** Most deliveries are accepted at once, so that other states and answers are rare. */
function leadOf({ endpointId, messageId, eventId, type, state, answered }: Wanted): Search {
  const states = state && { states: [state] };
  if (eventId !== undefined) return { eventId };
  if (messageId !== undefined) return { messageId };
  if (endpointId !== undefined) return { endpointId, ...states };
  if (answered !== undefined && answered !== "2xx") return { answered };
  if (states && state !== "delivered") return states;
  if (type !== undefined) return { type };
  return states ?? (answered === undefined ? {} : { answered });
}

function othersOf(wanted: Wanted): DeliverySearch["matches"] {
  const { answered, ...fields } = wanted;
  const equal = Object.entries(withoutUndefined(fields)) as [keyof typeof fields, string][];
  const { states: [state] = [], ...lead } = leadOf(wanted);
  const led = new Set(Object.keys({ ...lead, ...(state && { state }) }));
  const others = equal.filter(([field]) => !led.has(field));
  // The index of answers has deliveries of earlier releases without their answers.
  if (others.length === 0 && answered === undefined) return undefined;
  return (delivery) =>
    others.every(([field, value]) => delivery[field] === value) &&
    (answered === undefined || isAnswered(delivery, answered));
}
