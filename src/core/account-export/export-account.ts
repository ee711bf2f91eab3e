import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ExportAccountRequest,
  type ExportAccountResponseSchema,
  RetentionSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { WalkedCollection } from "../../store/collections/collections.ts";
import type { AccountDocument } from "../../store/documents.ts";
import { readThroughOutage } from "../../store/read-through-outage.ts";
import { toRetention } from "../accounts/retention.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { Slots } from "../slots.ts";
import { type ExportContext, exported } from "./exported.ts";
import { type Line, shown, textOf } from "./line.ts";

/** Version of the format. Increase it if programs that read exports must be changed. */
const FORMAT = 1;
/** A part is sent when it has this size, and at the end of a page. */
const PART_CHARACTERS = 64 * 1024;
/** Number of documents with jointly created lines: their related data is read together. */
const TOGETHER = 8;

type Part = MessageInitShape<typeof ExportAccountResponseSchema>;
type ToLines = (
  document: unknown,
  context: ExportContext,
) => Line | readonly Line[] | Promise<Line | readonly Line[]>;

export interface ExportAccountNeeds
  extends Pick<Dependencies, "store" | "clock" | "retention" | "sendingSetup" | "intel" | "log"> {
  readonly slots: Slots;
}

/**
 * Exports all stored data of an account, page by page, as fast as the client reads:
 *
 * 1. the account itself, with the format
 * 2. the documents of each collection, in the order of `exported`
 * 3. the number of lines of each kind: without this line, the export is incomplete
 *
 * An error ends the export with a fault. A damaged document has a line with the error.
 *
 * @throws Fault account.unknown (also for one that is deleted during the export), auth.reauthentication_required,
 *   service.busy, store.unavailable
 */
export function createExportAccount({ store, slots, retention, ...needs }: ExportAccountNeeds) {
  const { clock, log } = needs;

  async function findAccount(id: string): Promise<AccountDocument> {
    const found = await store.accounts.find(id);
    if (found) return found;
    throw fault("account.unknown", { public: say("no_account", { id }) });
  }

  async function* linesOf(
    name: WalkedCollection,
    toLines: ToLines,
    context: ExportContext,
    signal: AbortSignal,
  ) {
    const lineOf = (id: string, reason: string): Line => ({
      kind: "unreadable",
      fields: { collection: name, id, reason },
    });
    const make = async (document: { readonly _id: string }): Promise<readonly Line[]> => {
      try {
        return [await readThroughOutage(async () => toLines(document, context))].flat();
      } catch (error) {
        if (error instanceof Fault) throw error;
        log.warn({ err: error, collection: name, id: document._id }, "a document cannot be exported");
        return [lineOf(document._id, "it is malformed")];
      }
    };
    let place: Parameters<ExportContext["account"]["exports"]["page"]>[1];
    do {
      signal.throwIfAborted();
      const { exports } = context.account;
      const { documents, unreadable, next } = await readThroughOutage(() => exports.page(name, place));
      for (let at = 0; at < documents.length; at += TOGETHER) {
        yield (await Promise.all(documents.slice(at, at + TOGETHER).map(make))).flat();
      }
      yield unreadable.map(({ id, reason }) => lineOf(id, reason));
      place = next;
    } while (place !== undefined);
  }

  return async function* (
    { bodies, ...request }: ExportAccountRequest,
    { audit, signal }: Pick<HandlerContext, "audit" | "signal">,
  ): AsyncGenerator<Part, void> {
    const now = clock.now();
    const account = await resolveAccount(store, request);
    const giveBack = slots.take(account.id);
    try {
      const found = await findAccount(account.id);
      const target = { kind: "account", id: account.id, name: found.name } as const;
      await account.audit.add(audit, { target, outcome: "read" });
      const times = toRetention((await account.retentions.find()) ?? {}, retention);
      const head = headOf(found, { now, bodies, retention: shown(RetentionSchema, times) });
      const counts: Record<string, number> = {};
      let part = await wholeText(head);
      const context: ExportContext = { ...needs, store, account, now, bodies };
      for (const [name, toLines] of Object.entries(exported) as [WalkedCollection, unknown][]) {
        for await (const lines of linesOf(name, toLines as ToLines, context, signal)) {
          for (const line of lines) {
            signal.throwIfAborted();
            counts[line.kind] = (counts[line.kind] ?? 0) + 1;
            for await (const piece of textOf(line)) {
              part += piece;
              if (part.length < PART_CHARACTERS) continue;
              yield { data: Buffer.from(part) };
              part = "";
            }
          }
        }
        yield { data: Buffer.from(part) };
        part = "";
      }
      // An account that is being deleted may already be incomplete.
      await findAccount(account.id);
      yield { data: Buffer.from(await wholeText({ kind: "end", fields: { counts } })) };
    } finally {
      giveBack();
    }
  };
}

function headOf(
  { _id: id, name, createdAt, requiresSecondFactor }: AccountDocument,
  { now, ...about }: { readonly now: Date; readonly bodies: boolean; readonly retention: object },
): Line {
  const account = { id, name, created_at: createdAt, requires_second_factor: requiresSecondFactor ?? false };
  return { kind: "account", fields: { format: FORMAT, exported_at: now, ...account, ...about } };
}

async function wholeText(line: Line): Promise<string> {
  let text = "";
  for await (const piece of textOf(line)) text += piece;
  return text;
}
