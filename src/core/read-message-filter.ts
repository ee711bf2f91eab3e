import type {
  ListMessagesRequest,
  MessageFilter as RequestedFilter,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { type AddressFilter, type MessageFilter, readAddressFilter } from "../message/search/filter.ts";
import { readQuery } from "../message/search/query.ts";
import { subjectWords } from "../message/search/words.ts";
import { validationFault } from "../shared/fault.ts";
import { messageSources } from "../shared/message-source.ts";
import { messageStates } from "../shared/message-state.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { createFieldFaults, type FieldFaults, pointer } from "./field-faults.ts";
import { readSpan } from "./read-span.ts";

/** Longer than any address, subject or name that a message can have. */
const MAX_TEXT_LENGTH = 1_000;
/** Each is looked up by itself, as each word is. */
const MAX_LABELS = 20;
const MAX_ADDRESS_WORDS = 20;

/**
 * Which messages a request wants.
 * @throws Fault request.validation_failed naming everything that is wrong
 */
export function readMessageFilter({
  state,
  filter,
}: Pick<ListMessagesRequest, "state" | "filter">): MessageFilter {
  const faults = createFieldFaults();
  const read = {
    ...(filter && readFields(filter, faults)),
    ...readStates(state, filter?.states ?? [], faults),
  };
  if (faults.found.length > 0) throw validationFault(faults.found);
  return read;
}

function readFields(filter: RequestedFilter, faults: FieldFaults): MessageFilter {
  const text = (field: string, given: string): string | undefined => {
    if (given.length > MAX_TEXT_LENGTH) {
      faults.add(
        `/filter/${field}`,
        "field.too_long",
        `At most ${MAX_TEXT_LENGTH} characters are looked for.`,
      );
    }
    return given || undefined;
  };
  const { tags, metadata } = filter;
  if (tags.length > MAX_LABELS) {
    faults.add("/filter/tags", "field.too_many", `At most ${MAX_LABELS} tags are looked for.`);
  }
  if (Object.keys(metadata).length > MAX_LABELS) {
    faults.add("/filter/metadata", "field.too_many", `At most ${MAX_LABELS} entries are looked for.`);
  }
  for (const [index, tag] of tags.entries()) text(`tags/${index}`, tag);
  for (const [name, value] of Object.entries(metadata))
    text(pointer("metadata", name).slice(1), name + value);
  const subject = text("subject", filter.subject);
  const { from, until } = readSpan(filter, faults);
  return withoutUndefined({
    recipient: readAddress("recipient", text("recipient", filter.recipient), faults),
    sender: readAddress("sender", text("sender", filter.sender), faults),
    subject: subject === undefined ? undefined : readSubject(subject, faults),
    tags: tags.length > 0 ? tags.slice(0, MAX_LABELS) : undefined,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    policy: text("routing_policy", filter.routingPolicy),
    keyId: text("key_id", filter.keyId),
    source: readSource(filter.source, faults),
    template: text("template", filter.template),
    category: text("category", filter.category),
    traceId: text("trace_id", filter.traceId),
    messageId: text("message_id", filter.messageId),
    from,
    until,
    provider: text("provider", filter.provider)?.toLowerCase(),
    opened: readYesOrNo("opened", filter.opened, faults),
    clicked: readYesOrNo("clicked", filter.clicked, faults),
    query: readConditions(text("q", filter.q), faults),
  });
}

function readYesOrNo(field: string, given: string, faults: FieldFaults): boolean | undefined {
  if (given !== "" && given !== "yes" && given !== "no") {
    faults.add(`/filter/${field}`, "field.invalid", `\`${field}\` must be \`yes\` or \`no\`.`);
  }
  return given === "" ? undefined : given === "yes";
}

function readConditions(given: string | undefined, faults: FieldFaults): MessageFilter["query"] {
  if (given === undefined) return undefined;
  const { conditions, faults: found } = readQuery(given.slice(0, MAX_TEXT_LENGTH));
  for (const { message, offset, length } of found) {
    const text = `${message.charAt(0).toUpperCase()}${message.slice(1)} (offset ${offset}, length ${length}).`;
    faults.add("/filter/q", "field.invalid", text);
  }
  return conditions;
}

function readAddress(
  field: string,
  given: string | undefined,
  faults: FieldFaults,
): AddressFilter | undefined {
  if (given === undefined) return undefined;
  const read = readAddressFilter(given);
  if (read.kind === "words" && read.words.length === 0) {
    const message =
      "Give an address, a domain as @example.com, or words of letters or digits that stand in it.";
    faults.add(`/filter/${field}`, "field.invalid", message);
  }
  if (read.kind === "words" && read.words.length > MAX_ADDRESS_WORDS) {
    faults.add(`/filter/${field}`, "field.too_many", `At most ${MAX_ADDRESS_WORDS} words are looked for.`);
  }
  return read;
}

function readSubject(given: string, faults: FieldFaults): readonly string[] {
  const words = subjectWords(given);
  if (words.length === 0) {
    faults.add("/filter/subject", "field.invalid", "A subject is found by words of letters or digits.");
  }
  return words;
}

function readSource(given: string, faults: FieldFaults): string | undefined {
  if (given === "") return undefined;
  if (!messageSources.some((source) => source === given)) {
    const message = `"${given}" is none of ${messageSources.join(", ")}.`;
    faults.add("/filter/source", "field.invalid", message);
  }
  return given;
}

function readStates(
  state: string,
  states: readonly string[],
  faults: FieldFaults,
): Pick<MessageFilter, "states"> {
  const wanted = [
    ...(state === "" ? [] : [{ name: state, at: "/state" }]),
    ...states.slice(0, messageStates.length).map((name, index) => ({ name, at: `/filter/states/${index}` })),
  ];
  const known = wanted.flatMap(({ name, at }) => {
    const found = messageStates.find((one) => one === name);
    if (!found) faults.add(at, "field.invalid", `"${name}" is none of ${messageStates.join(", ")}.`);
    return found ?? [];
  });
  return known.length > 0 ? { states: known } : {};
}
