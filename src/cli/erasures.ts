import type { Command } from "commander";
import type { Erasure } from "../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import { InputError, LIMIT_MAX, readLimit } from "./input/read-options.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod erasure` */
export function erasures(program: Command, surroundings: Surroundings): void {
  const group = program
    .command("erasure")
    .description("Erase all that an account has about one recipient, and see the proof.");
  erasureBegin(group, surroundings);
  erasureShow(group, surroundings);
  erasureList(group, surroundings);
}

interface BeginOptions {
  readonly keepSuppressed?: boolean;
  readonly yes?: boolean;
}

/** `hermod erasure begin`: without `--yes` it says what would go, and changes nothing. */
function erasureBegin(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("begin")
    .argument("<recipient>", "the address")
    .description("Remove all that is stored about a recipient, for good.")
    .option("--keep-suppressed", "leave the address on the suppression list")
    .option("--yes", "do it");
  coreCommand<BeginOptions>(
    surroundings,
    command,
    async ({ core, account: accountId, args: [recipient = ""] }, { keepSuppressed = false, yes }) => {
      if (!yes) {
        const found = await core.erasures.previewErasure({ accountId, recipient });
        const more = found.complete ? "" : " at least";
        const kept = keepSuppressed ? "stay" : "go";
        throw new InputError(
          `This erases, for good,${more} ${found.messages} messages to ${printable(recipient)} (${found.waiting} of them wait to be sent, and are withdrawn), ${found.notices} notices about them, ${found.events} events and ${found.captured} captured copies; ${found.suppressions} entries of the suppression list ${kept}. Repeat it with --yes.`,
        );
      }
      const { erasure } = await core.erasures.beginErasure({ accountId, recipient, keepSuppressed });
      if (!erasure) throw fault("internal.error", { internal: "the core answered without the erasure" });
      return {
        json: erasureJson(erasure),
        text: () => erasure.id,
        note: `It takes a minute at least: see \`hermod erasure show ${erasure.id}\`.`,
      };
    },
  );
}

/** `hermod erasure show`: how far it is, and in the end the proof. */
function erasureShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<id>", "the id of the erasure")
    .description("Show how far an erasure is, and in the end the proof.");
  coreCommand(surroundings, command, async ({ core, account: accountId, args: [id = ""] }) => {
    const { erasure } = await core.erasures.getErasure({ accountId, id });
    if (!erasure) throw fault("internal.error", { internal: "the core answered without the erasure" });
    return { json: erasureJson(erasure), text: () => describe(erasure) };
  });
}

/** `hermod erasure list`: newest first. */
function erasureList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the erasures of an account.")
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");
  coreCommand<{ limit: number; cursor?: string }>(
    surroundings,
    command,
    async ({ core, account: accountId, paint }, { limit: pageSize, cursor: pageToken = "" }) => {
      const page = { accountId, pageSize, pageToken };
      const { erasures, nextPageToken } = await core.erasures.listErasures(page);
      const rows = erasures.map((one) => [
        one.id,
        one.state,
        plainTime(one.requestedAt),
        plainTime(one.finishedAt),
        String(totalOf(one)),
        printable(one.requestedBy),
      ]);
      const heading = ["ID", "STATE", "REQUESTED", "FINISHED", "REMOVED", "BY"];
      return {
        json: listJson(erasures.map(erasureJson), nextPageToken),
        text: () => table(paint, heading, rows, "Nobody was erased."),
        ...(nextPageToken !== "" && { note: `There are more: --cursor ${nextPageToken}` }),
      };
    },
  );
}

const CHANGED = "Changed";

function totalOf({ removed }: Erasure): number {
  return Object.entries(removed).reduce((sum, [name, n]) => (name.endsWith(CHANGED) ? sum : sum + n), 0);
}

function describe(erasure: Erasure): string {
  const { look, left } = erasure;
  const counts = Object.entries(erasure.removed).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    `Erasure:    ${erasure.id} (${erasure.state})`,
    `Requested:  ${plainTime(erasure.requestedAt)} by ${printable(erasure.requestedBy)}`,
    `Address:    SHA-256 ${erasure.addressHash}, salt ${erasure.salt}`,
    ...(erasure.state === "running"
      ? [`Waiting:    ${erasure.waiting} messages that a worker has to give up`]
      : []),
    ...counts.map(([name, n]) => `  ${name.padEnd(22)} ${n}`),
  ];
  if (look) {
    lines.push(
      `Finished:   ${plainTime(erasure.finishedAt)}; nothing was left in ${look.messages} messages, ${look.captured} captured ones and ${look.auditEntries} entries of the audit log`,
      `Stays:      ${left?.sharedBodies ?? 0} bodies shared with others, ${left?.mentions ?? 0} messages to others that mention it, ${left?.suppressions ?? 0} suppressions`,
    );
  }
  return lines.join("\n");
}

/** An erasure as `--json` writes it. */
function erasureJson({ look, left, ...erasure }: Erasure) {
  return {
    id: erasure.id,
    account_id: erasure.accountId,
    state: erasure.state,
    address_hash: erasure.addressHash,
    salt: erasure.salt,
    keep_suppressed: erasure.keepSuppressed,
    requested_at: isoTime(erasure.requestedAt),
    requested_by_kind: erasure.requestedByKind,
    requested_by: erasure.requestedBy,
    removed: erasure.removed,
    waiting: erasure.waiting,
    finished_at: isoTime(erasure.finishedAt),
    look: look
      ? {
          at: isoTime(look.at),
          messages: look.messages,
          captured: look.captured,
          audit_entries: look.auditEntries,
        }
      : null,
    left: {
      shared_bodies: left?.sharedBodies ?? 0,
      mentions: left?.mentions ?? 0,
      suppressions: left?.suppressions ?? 0,
    },
  };
}
