import { type FaultText, say } from "../../shared/fault-text.ts";
import { isMessageId, isTraceId } from "../../shared/ids.ts";
import { type MessageState, messageStates } from "../../shared/message-state.ts";
import { type AddressFilter, type QueryCondition, readAddressFilter } from "./filter.ts";
import { readTokens, type Token } from "./query-tokens.ts";
import { subjectWords, wordsOf } from "./words.ts";

/** A fault of a query, and its position: in UTF-16 units, from 0. */
export interface QueryFault {
  readonly offset: number;
  readonly length: number;
  /** The text contains the position. */
  readonly message: FaultText;
}

export interface ReadQuery {
  /** All must match. */
  readonly conditions: readonly QueryCondition[];
  readonly faults: readonly QueryFault[];
}

/** Each is searched in each run of the index: more would make one search as expensive as hundreds. */
const MAX_LOOKUPS = 64;
/** A free word is searched in recipient, sender and subject. */
const FREE_FIELDS = 3;
const HEADER_ID = /^<[^<>\s]+@[^<>\s]+>$/;
/** Several of the same kind are alternatives: a message has one state, one policy, one key and at most one template. */
const ALTERNATIVES: ReadonlySet<QueryCondition["kind"]> = new Set(["state", "policy", "key", "template"]);

type Position = Pick<QueryFault, "offset" | "length">;
/** A condition, or the text of the fault at a position. */
type Read = QueryCondition | ((position: Position) => FaultText);

/** Description of the value after an operator, and its condition; a function returns the fault of the value. */
const operators: Readonly<Record<string, (value: string) => Read>> = {
  from: (value) => addressCondition("sender", value),
  to: (value) => addressCondition("recipient", value),
  subject: (value) => {
    const words = subjectWords(value);
    return words.length > 0 ? { kind: "subject", words } : (position) => say("query_subject_empty", position);
  },
  tag: (value) => ({ kind: "tag", tag: value }),
  state: (value) => {
    const state = messageStates.find((one) => one === value);
    return state
      ? { kind: "state", values: [state] }
      : (position) => say("query_state", { ...position, allowed: messageStates });
  },
  policy: (value) => ({ kind: "policy", values: [value] }),
  key: (value) => ({ kind: "key", values: [value] }),
  template: (value) => ({ kind: "template", values: [value] }),
  meta: (value) => {
    const at = value.indexOf("=");
    if (at < 1) return (position) => say("query_meta", position);
    return { kind: "metadata", name: value.slice(0, at), value: value.slice(at + 1) };
  },
};

/** The operators, in the order of fault texts. */
const queryOperators: readonly string[] = Object.keys(operators).map((name) => `${name}:`);

/**
 * Parses a query in the form that people type: words in recipient, sender or subject, ids, and operators with values, which may
 * be quoted: `shipped to:@example.com tag:"spring sale"`. Linear in its input, which may be hostile.
 */
export function readQuery(text: string): ReadQuery {
  const faults: QueryFault[] = [];
  const refuse = (position: Position, textAt: (position: Position) => FaultText) =>
    faults.push({ ...position, message: textAt(position) });
  const conditions: QueryCondition[] = [];
  const { tokens, openQuote } = readTokens(text);
  if (openQuote !== undefined) {
    refuse({ offset: openQuote, length: text.length - openQuote }, (position) =>
      say("query_quote", position),
    );
  }
  let lookups = 0;
  for (const token of tokens) {
    const { offset, length } = token;
    const read = token.operator === undefined ? freeCondition(token) : operatorCondition(token);
    if (read === undefined) continue;
    if (typeof read === "function") {
      refuse({ offset, length }, read);
      continue;
    }
    lookups += lookupsOf(read);
    if (lookups > MAX_LOOKUPS) {
      refuse({ offset, length: text.length - offset }, (position) => say("query_words", position));
      break;
    }
    add(conditions, read);
  }
  if (conditions.length === 0 && faults.length === 0) {
    refuse({ offset: 0, length: text.length }, (position) => say("query_empty", position));
  }
  return { conditions, faults };
}

/** undefined: it has no searchable text, for example `&`. */
function freeCondition({ value }: Token): QueryCondition | undefined {
  if (isMessageId(value)) return { kind: "message", id: value };
  if (isTraceId(value)) return { kind: "submission", traceId: value };
  if (HEADER_ID.test(value)) return { kind: "header_id", value };
  const words = wordsOf(value);
  const address = readAddressFilter(value);
  if (address.kind !== "words") return { kind: "text", words, address };
  return words.length > 0 ? { kind: "text", words } : undefined;
}

function operatorCondition({ operator = "", value }: Token): Read | undefined {
  const read = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (read)
    return value === "" ? (position) => say("query_value", { ...position, name: operator }) : read(value);
  // `Re:` is a word of a subject.
  if (value === "") return { kind: "text", words: wordsOf(operator) };
  return (position) => say("query_operator", { ...position, name: operator, allowed: queryOperators });
}

function addressCondition(kind: "recipient" | "sender", value: string): Read {
  const address: AddressFilter = readAddressFilter(value);
  if (address.kind !== "words" || address.words.length > 0) return { kind, address };
  const name = kind === "sender" ? "from" : "to";
  return (position) => say("query_address", { ...position, name });
}

function add(conditions: QueryCondition[], condition: QueryCondition): void {
  const former = ALTERNATIVES.has(condition.kind)
    ? conditions.findIndex(({ kind }) => kind === condition.kind)
    : -1;
  const found = conditions[former];
  if (!found) conditions.push(condition);
  else if ("values" in found && "values" in condition) {
    const values = [...found.values, ...condition.values];
    conditions[former] = { kind: condition.kind, values: values as MessageState[] } as QueryCondition;
  }
}

function lookupsOf(condition: QueryCondition): number {
  switch (condition.kind) {
    case "text":
      return FREE_FIELDS * Math.max(1, condition.words.length);
    case "subject":
      return condition.words.length;
    case "recipient":
    case "sender":
      return condition.address.kind === "words" ? condition.address.words.length : 1;
    default:
      return 1;
  }
}
