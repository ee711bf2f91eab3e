import type { Command } from "commander";
import type { Sender } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { FORCE, withUse } from "./output/describe-removal.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod sender` */
export function senders(program: Command, surroundings: Surroundings): void {
  const group = program.command("sender").description("Addresses and domains that mail may be sent from.");
  senderAdd(group, surroundings);
  senderVerify(group, surroundings);
  senderList(group, surroundings);
  senderRemove(group, surroundings);
}

/** `hermod sender add`: the operator vouches for it, so it counts as verified. */
function senderAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<sender>", "an address, or a domain for all of its addresses")
    .description("Allow mail from an address or a domain.");
  coreCommand(surroundings, command, async ({ core, account, args: [value = ""] }) => {
    const { sender } = await core.senders.addSender({ accountId: account, value });
    if (!sender) throw fault("internal.error", { internal: "the core answered without the sender" });
    const shown = printable(sender.value);
    return {
      json: senderJson(sender),
      text: () => `Mail may be sent from ${sender.kind === "domain" ? `every address at ${shown}` : shown}.`,
    };
  });
}

/** `hermod sender verify`: whoever reads mail there decides. */
function senderVerify(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("verify")
    .argument("<address>", "as news@example.com")
    .description("Mail a link to an address, which verifies it when it is followed; again: a new link.");
  coreCommand(surroundings, command, async ({ core, account, args: [value = ""] }) => {
    const { sender } = await core.senders.verifySender({ accountId: account, value });
    if (!sender) throw fault("internal.error", { internal: "the core answered without the sender" });
    const shown = printable(sender.value);
    const until = plainTime(sender.linkExpiresAt);
    return {
      json: senderJson(sender),
      text: () =>
        sender.verifiedAt
          ? `${shown} is verified already.`
          : `A link was mailed to ${shown}; it holds until ${until}.`,
    };
  });
}

/** `hermod sender remove` */
function senderRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument("<sender>", "an address or a domain")
    .description("Take back that mail may come from an address or a domain.")
    .option(...FORCE);
  coreCommand<{ force?: boolean }>(
    surroundings,
    command,
    async ({ core, account, args: [value = ""] }, { force = false }) => {
      const { use } = await core.senders.removeSender({ accountId: account, value, force });
      return withUse(use, { removed: value }, `${printable(value)} is not a sender any more.`);
    },
  );
}

/** `hermod sender list` */
function senderList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the addresses and domains that mail may come from.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const senders = await allPages(
      (pageToken) => core.senders.listSenders({ accountId: account, pageToken }),
      (page) => page.senders,
    );
    const rows = senders.map((sender) => [
      printable(sender.value),
      sender.kind,
      plainTime(sender.verifiedAt) || "not verified",
      wordsOf[sender.verifiedBy] ?? (sender.linkExpiresAt ? "link mailed" : ""),
    ]);
    return {
      json: listJson(senders.map(senderJson)),
      text: () =>
        table(
          paint,
          ["SENDER", "KIND", "VERIFIED", "BY"],
          rows,
          "There are no senders. Add one with `hermod sender add`.",
        ),
    };
  });
}

const wordsOf: Readonly<Record<string, string>> = { operator: "operator", link: "mailed link" };

/** A sender as `--json` writes it. */
function senderJson(sender: Sender) {
  return {
    id: sender.id,
    account_id: sender.accountId,
    kind: sender.kind,
    value: sender.value,
    verified_at: isoTime(sender.verifiedAt),
    verified_by: sender.verifiedBy || null,
    link_expires_at: isoTime(sender.linkExpiresAt),
  };
}
