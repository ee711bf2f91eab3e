import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListKeysRequest,
  ListKeysResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { KeyDocument, KeyKind } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { searchOfAccount } from "../page.ts";
import { toKey } from "../to-proto.ts";
import { type KeyState, keyStates, stateOfKey } from "./key-state.ts";
import { member } from "./read-access.ts";

export const keyKinds: readonly KeyKind[] = ["account", "deliverability", "smtp"];
const MAX_QUERY_LENGTH = 200;
/** Maximum number of keys that one page of a search reads. */
const MOST_READ = 2_000;

interface KeyNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

/** Keys of one account, oldest first. @throws Fault account.unknown, request.validation_failed */
export function createListKeys({ store, clock }: KeyNeeds) {
  return async (request: ListKeysRequest): Promise<MessageInitShape<typeof ListKeysResponseSchema>> => {
    const { kind, state, text } = readFilter(request);
    const now = clock.now();
    const isMeant = (key: KeyDocument) =>
      (state === undefined || stateOfKey(key, now) === state) && (text === "" || isNamed(key, text));
    const { entries, nextPageToken } = await searchOfAccount(request, {
      store,
      list: ({ keys }, page) => keys.list(page, kind),
      cursorOf: ({ _id }) => _id,
      mostRead: MOST_READ,
      ...((state !== undefined || text !== "") && { matches: isMeant }),
    });
    return { keys: entries.map((key) => toKey(key, now)), nextPageToken };
  };
}

interface KeyFilter {
  readonly kind: KeyKind | undefined;
  readonly state: KeyState | undefined;
  /** In lower case; empty: any key. */
  readonly text: string;
}

function readFilter({ kind, state, query }: ListKeysRequest): KeyFilter {
  const faults = createFieldFaults();
  const filter = {
    kind: kind === "" ? undefined : member(keyKinds, kind, "/kind", faults),
    state: state === "" ? undefined : member(keyStates, state, "/state", faults),
    text: query.trim().toLowerCase(),
  };
  if (query.length > MAX_QUERY_LENGTH) {
    faults.add("/query", "field.too_long", say("query_up_to_characters", { max: MAX_QUERY_LENGTH }));
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
  return filter;
}

function isNamed({ _id, name, prefix }: KeyDocument, text: string): boolean {
  return name.toLowerCase().includes(text) || [_id, prefix].some((one) => one.toLowerCase().startsWith(text));
}
