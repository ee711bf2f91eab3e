import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type ClearSandboxMessagesRequest,
  type ClearSandboxMessagesResponseSchema,
  type GetSandboxMessageRequest,
  type GetSandboxMessageResponseSchema,
  type ListSandboxMessagesRequest,
  type ListSandboxMessagesResponseSchema,
  SandboxService,
} from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { changes, READS, reads } from "../rpc/audits.ts";
import { type HandlerContext, permitted } from "../rpc/callers.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { idBound } from "../shared/ids.ts";
import { SYSTEM_ACCOUNT } from "../shared/system-account.ts";
import type { CapturedSummary } from "../store/sandbox-store.ts";
import type { Store } from "../store/store.ts";
import type { Dependencies } from "./dependencies.ts";
import { createFieldFaults } from "./field-faults.ts";
import { type OperatorStore, operatorScope } from "./operator-scope.ts";
import { messageIdIn, pageOf, pageSizeOf, pageStartOf, searchPage } from "./page.ts";
import { toSandboxMessage } from "./to-proto.ts";

/**
 * Messages that the sandbox has captured. Members see those of their account, which do not include Hermod's own mail.
 */
export const sandbox: Area<Pick<Dependencies, "store">> = defineArea(SandboxService, {
  listSandboxMessages: [permitted("sandbox.read"), READS, createListSandboxMessages],
  getSandboxMessage: [
    permitted("messages.read_bodies"),
    reads("sandbox.read", "id"),
    createGetSandboxMessage,
  ],
  removeSandboxMessage: [
    permitted("sandbox.write"),
    changes("sandbox.remove", "id"),
    ({ store }) =>
      async (request, context) => {
        const isRemoved = await operatorScope(store, request, context).sandbox.remove(
          request.id,
          context.audit,
        );
        if (!isRemoved) throw unknown(request.id);
        return {};
      },
  ],
  clearSandboxMessages: [permitted("sandbox.write"), changes("sandbox.clear"), createClearSandboxMessages],
});

export function createListSandboxMessages({ store }: { readonly store: OperatorStore }) {
  return async (
    request: ListSandboxMessagesRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListSandboxMessagesResponseSchema>> => {
    const limit = pageSizeOf(request.pageSize);
    const start = pageStartOf(request.pageToken, messageIdIn);
    const { list } = operatorScope(store, request, context).sandbox;
    const matches = readFilter(request);
    if (!matches) {
      const found = await list({ beforeId: start, limit: limit + 1 });
      const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
      return { messages: entries.map(toSandboxMessage), nextPageToken };
    }
    const { entries, next = "" } = await searchPage({
      read: (beforeId, most) => list({ beforeId, limit: most }),
      matches,
      cursorOf: ({ _id }) => _id,
      start: startOf(start, request.until && timestampDate(request.until)),
      limit,
      mostRead: MOST_READ,
    });
    return { messages: entries.map(toSandboxMessage), nextPageToken: next };
  };
}

/** Maximum number of messages that one page of a search reads: the database reads each with its source. */
const MOST_READ = 1_000;
/** The clocks of a core and a worker differ by less than this. */
const SKEW_MS = 3_600_000;

/** A message that was captured before a time was also accepted before it: later ones are not read. */
function startOf(start: string | undefined, until: Date | undefined): string | undefined {
  if (!until) return start;
  const bound = idBound("msg", new Date(until.getTime() + SKEW_MS));
  return start !== undefined && start < bound ? start : bound;
}

const MAX_TEXT_LENGTH = 320;

/**
 * Whether a message matches; undefined: all match.
 * @throws Fault request.validation_failed
 */
function readFilter(
  request: ListSandboxMessagesRequest,
): ((message: CapturedSummary) => boolean) | undefined {
  const faults = createFieldFaults();
  const [from, until] = [request.from, request.until].map((time) => time && timestampDate(time));
  if (from && until && from >= until) {
    faults.add("/until", "field.invalid", say("until_after_from"));
  }
  for (const name of ["recipient", "subject"] as const) {
    if (request[name].length <= MAX_TEXT_LENGTH) continue;
    faults.add(`/${name}`, "field.too_long", say("named_up_to_characters", { name, max: MAX_TEXT_LENGTH }));
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
  const recipient = request.recipient.trim().toLowerCase();
  const subject = request.subject.trim().toLowerCase();
  if (recipient === "" && subject === "" && !from && !until) return undefined;
  return (message) =>
    (recipient === "" || message.envelopeTo.some((one) => one.toLowerCase().includes(recipient))) &&
    message.subject.toLowerCase().includes(subject) &&
    (!from || message.capturedAt >= from) &&
    (!until || message.capturedAt < until);
}

export function createGetSandboxMessage({ store }: { readonly store: OperatorStore & Pick<Store, "audit"> }) {
  return async (
    request: GetSandboxMessageRequest,
    context: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof GetSandboxMessageResponseSchema>> => {
    const captured = await operatorScope(store, request, context).sandbox.find(request.id);
    if (!captured) throw unknown(request.id);
    const target = { kind: "sandbox", id: captured._id, name: captured.subject };
    // An early release stored Hermod's own mail without an account.
    const { accountId } = captured;
    const isSystem = accountId === "" || accountId === SYSTEM_ACCOUNT;
    const audit = isSystem ? store.audit.installation : store.forAccount(accountId).audit;
    await audit.add(context.audit, { target, outcome: "read" });
    return { message: toSandboxMessage(captured), source: captured.source };
  };
}

const unknown = (id: string) => fault("message.unknown", { public: say("sandbox_no_message", { id }) });

export function createClearSandboxMessages({ store }: { readonly store: OperatorStore }) {
  return async (
    request: ClearSandboxMessagesRequest,
    context: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof ClearSandboxMessagesResponseSchema>> => ({
    deleted: await operatorScope(store, request, context).sandbox.clear(context.audit),
  });
}
