import { type Erasure, ErasureSchema } from "../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { InputError } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod erasure` */
export const erasures = commandGroup(
  "erasure",
  "Erase all data of an account about one recipient, and show the proof.",
  () => [erasureBegin, erasureShow, erasureList],
);

interface BeginOptions {
  readonly keepSuppressed?: boolean;
  readonly yes?: boolean;
}

/** `hermod erasure begin`: without `--yes` it lists what would be removed and changes nothing. */
const erasureBegin = showCommand({
  name: "begin",
  description: "Remove all stored data about a recipient permanently.",
  arguments: [["<recipient>", "address of the recipient"]],
  options: [
    ["--keep-suppressed", "keep the address on the suppression list"],
    ["--yes", "erase it"],
  ],
  call: async ({ core, account: accountId, args: [recipient = ""] }, options: BeginOptions) => {
    const { keepSuppressed = false, yes } = options;
    if (yes) return core.erasures.beginErasure({ accountId, recipient, keepSuppressed });
    const found = await core.erasures.previewErasure({ accountId, recipient });
    const more = found.complete ? "" : "at least ";
    const kept = keepSuppressed ? "stay" : "are removed";
    throw new InputError(
      `This permanently erases ${more}${found.messages} messages to ${printable(recipient)} (${found.waiting} of them are waiting and are cancelled), ${found.notices} notices about them, ${found.events} events and ${found.captured} captured copies. ${found.suppressions} entries of the suppression list ${kept}. To erase it, repeat the command with --yes.`,
    );
  },
  of: "erasure",
  schema: ErasureSchema,
  text: ({ id }) => id,
  note: ({ id }) => `It takes at least a minute: see \`hermod erasure show ${id}\`.`,
});

/** `hermod erasure show`: the progress, and after the end the proof. */
const erasureShow = showCommand({
  name: "show",
  description: "Show the progress of an erasure, and after its end the proof.",
  arguments: [["<id>", "id of the erasure"]],
  call: ({ core, account, args: [id = ""] }) => core.erasures.getErasure({ accountId: account, id }),
  of: "erasure",
  schema: ErasureSchema,
  text: describe,
});

/** `hermod erasure list`: newest first. */
const erasureList = listCommand({
  description: "List the erasures of an account.",
  limit: 50,
  call: ({ core, account, page }) => core.erasures.listErasures({ accountId: account, ...page }),
  of: "erasures",
  schema: ErasureSchema,
  columns: [
    ["ID", ({ id }) => id],
    ["STATE", ({ state }) => state],
    ["REQUESTED", ({ requestedAt }) => plainTime(requestedAt)],
    ["FINISHED", ({ finishedAt }) => plainTime(finishedAt)],
    ["REMOVED", totalOf],
    ["BY", ({ requestedBy }) => printable(requestedBy)],
  ],
  none: "There are no erasures.",
});

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
      ? [`Waiting:    ${erasure.waiting} messages that a worker must release`]
      : []),
    ...counts.map(([name, n]) => `  ${name.padEnd(22)} ${n}`),
  ];
  if (look) {
    lines.push(
      `Finished:   ${plainTime(erasure.finishedAt)}; nothing was left in ${look.messages} messages, ${look.captured} captured messages and ${look.auditEntries} audit log entries`,
      `Kept:       ${left?.sharedBodies ?? 0} bodies shared with other messages, ${left?.mentions ?? 0} messages to others that mention the address, ${left?.suppressions ?? 0} suppressions`,
    );
  }
  return lines.join("\n");
}
