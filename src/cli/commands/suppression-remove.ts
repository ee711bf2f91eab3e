import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { printable } from "../output/printable.ts";
import { suppressionJson } from "../resources/suppression.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod suppression remove`: counts from the next message on. */
export function suppressionRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument("<address>", "as suppression list shows it")
    .description("Take an address off the list: mail to it is sent again.")
    .option("--policy <policy>", "the entry for this routing policy, instead of the one for all mail");
  coreCommand<{ policy?: string }>(
    surroundings,
    command,
    async ({ core, account, args: [address = ""] }, { policy = "" }) => {
      const request = { accountId: account, address, policy };
      const { suppression } = await core.suppressions.removeSuppression(request);
      if (!suppression) throw fault("internal.error", { internal: "the core answered without the entry" });
      const mail = policy === "" ? "Mail" : `Mail of the policy "${printable(policy)}"`;
      return {
        json: suppressionJson(suppression),
        text: () =>
          `${mail} is sent to ${printable(suppression.address)} again (it was ${suppression.reason}).`,
      };
    },
  );
}
