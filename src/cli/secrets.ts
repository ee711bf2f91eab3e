import type { Command } from "commander";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { newSecretKey, parseSecretKey } from "../shared/secret-keys.ts";
import { commandGroup, coreCommand } from "./core-command.ts";
import type { Environment } from "./environment.ts";
import { createProgress } from "./output/progress.ts";
import { printable } from "./output/text.ts";

/** `hermod secrets` */
export const secrets = commandGroup("secrets", "Keys that encrypt the secrets in the database.", () => [
  secretsNewKey,
  secretsRotate,
]);

/** `hermod secrets new-key`: needs no core, so that a key can exist before the core. Writes only the key. */
function secretsNewKey(parent: Command, { out, err }: Environment): void {
  const command = parent
    .command("new-key")
    .description("Create a key for HERMOD_SECRET_KEYS.")
    .option("--json", "write JSON")
    .action(() => {
      const key = newSecretKey();
      const id = parseSecretKey(key)?.id;
      if (command.opts<{ json?: boolean }>().json) {
        out.write(`${JSON.stringify({ key, id }, null, 2)}\n`);
        return;
      }
      out.write(`${key}\n`);
      err.write(
        `The id of the key is ${id}. Keep a copy in a safe place: secrets cannot be decrypted without it.\n`,
      );
    });
}

/** `hermod secrets rotate`: after an interruption, the next run continues with the remaining documents. */
const secretsRotate = coreCommand(
  {
    name: "rotate",
    description: "Encrypt all secrets with the first key of HERMOD_SECRET_KEYS while Hermod runs.",
  },
  async ({ core, isJson, environment: { err } }) => {
    const progress = createProgress(err, isJson);
    const failures: string[] = [];
    let [seen, encrypted, total] = [0, 0, 0];
    let keyId: string | undefined;
    for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
      const step = await core.secrets.rotateSecrets({ pageToken });
      keyId ??= step.keyId;
      if (step.keyId !== keyId) throw disagreement(keyId, step.keyId);
      if (pageToken === "") total = Number(step.total);
      seen += step.seen;
      encrypted += step.encrypted;
      failures.push(...step.failures.map(printable));
      progress.show(seen, Math.max(seen, total));
      pageToken = step.nextPageToken || undefined;
    }
    progress.end();
    if (!isJson) for (const failure of failures) err.write(`${failure}\n`);
    if (failures.length > 0) throw incomplete(failures, encrypted);
    return {
      json: { key_id: keyId, seen, encrypted },
      text: () => `All secrets are encrypted with the key ${keyId}. Re-encrypted: ${count(encrypted)}.`,
      note: "You can now remove the other keys from HERMOD_SECRET_KEYS. Every process checks at start that no key is missing.",
    };
  },
);

function count(documents: number): string {
  return documents === 1 ? "1 document" : `${documents} documents`;
}

function disagreement(one: string, other: string) {
  return fault("store.unavailable", {
    public: say("first_keys_differ", { given: one, other }),
  });
}

function incomplete([first = "", ...others]: readonly string[], encrypted: number) {
  const params = { documents: count(encrypted), detail: first };
  return fault("store.unavailable", {
    public:
      others.length === 0
        ? say("not_all_encrypted", params)
        : say("not_all_encrypted_and_more", { ...params, count: others.length }),
  });
}
