import type {
  ListMessagesRequest,
  MessageFilter as RequestedFilter,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { type AddressFilter, type MessageFilter, readAddressFilter } from "../message/search/filter.ts";
import { readQuery } from "../message/search/query.ts";
import { subjectWords } from "../message/search/words.ts";
import { validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { messageSources } from "../shared/message-source.ts";
import { messageStates } from "../shared/message-state.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { createFieldFaults, type FieldFaults, pointer } from "./field-faults.ts";
import { readSpan } from "./read-span.ts";

/** Longer than any address, subject or name of a message. */
const MAX_TEXT_LENGTH = 1_000;
/** Each label and each word is a separate lookup. */
const MAX_LABELS = 20;
const MAX_ADDRESS_WORDS = 20;

/**
 * Reads the message filter of a request.
 * @throws Fault request.validation_failed with all errors
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
        say("most_characters_looked", { max: MAX_TEXT_LENGTH }),
      );
    }
    return given || undefined;
  };
  const { tags, metadata } = filter;
  if (tags.length > MAX_LABELS) {
    faults.add("/filter/tags", "field.too_many", say("most_tags_looked", { max: MAX_LABELS }));
  }
  if (Object.keys(metadata).length > MAX_LABELS) {
    faults.add("/filter/metadata", "field.too_many", say("most_entries_looked", { max: MAX_LABELS }));
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
    faults.add(`/filter/${field}`, "field.invalid", say("yes_or_no", { field }));
  }
  return given === "" ? undefined : given === "yes";
}

function readConditions(given: string | undefined, faults: FieldFaults): MessageFilter["query"] {
  if (given === undefined) return undefined;
  const { conditions, faults: found } = readQuery(given.slice(0, MAX_TEXT_LENGTH));
  for (const { message } of found) faults.add("/filter/q", "field.invalid", message);
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
    const message = say("give_address_domain_example_com_words");
    faults.add(`/filter/${field}`, "field.invalid", message);
  }
  if (read.kind === "words" && read.words.length > MAX_ADDRESS_WORDS) {
    faults.add(`/filter/${field}`, "field.too_many", say("most_words_looked", { max: MAX_ADDRESS_WORDS }));
  }
  return read;
}

function readSubject(given: string, faults: FieldFaults): readonly string[] {
  const words = subjectWords(given);
  if (words.length === 0) {
    faults.add("/filter/subject", "field.invalid", say("subject_found_words_letters_digits"));
  }
  return words;
}

function readSource(given: string, faults: FieldFaults): string | undefined {
  if (given === "") return undefined;
  if (!messageSources.some((source) => source === given)) {
    const message = say("none_of", { given, allowed: messageSources });
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
    if (!found) faults.add(at, "field.invalid", say("none_of", { given: name, allowed: messageStates }));
    return found ?? [];
  });
  return known.length > 0 ? { states: known } : {};
}
