import type { Command } from "commander";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { newSecretKey, parseSecretKey } from "../shared/secret-keys.ts";
import { commandGroup, coreCommand } from "./core-command.ts";
import { createProgress } from "./output/progress.ts";
import { printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod secrets` */
export const secrets = commandGroup(
  "secrets",
  "The keys that secrets in the database are encrypted with.",
  () => [secretsNewKey, secretsRotate],
);

/** `hermod secrets new-key`: asks nobody, so that there is a key before there is a core. The key alone is the output. */
function secretsNewKey(parent: Command, { out, err }: Surroundings): void {
  const command = parent
    .command("new-key")
    .description("Make a key for HERMOD_SECRET_KEYS.")
    .option("--json", "write JSON, for programs")
    .action(() => {
      const key = newSecretKey();
      const id = parseSecretKey(key)?.id;
      if (command.opts<{ json?: boolean }>().json) {
        out.write(`${JSON.stringify({ key, id }, null, 2)}\n`);
        return;
      }
      out.write(`${key}\n`);
      err.write(
        `Messages of Hermod call it ${id}. Keep a copy in a safe place: nobody can decrypt the secrets without it.\n`,
      );
    });
}

/** `hermod secrets rotate`: begun anew after an interruption, it goes on with what is left to do. */
const secretsRotate = coreCommand(
  {
    name: "rotate",
    description: "Encrypt everything with the first of HERMOD_SECRET_KEYS, while Hermod runs.",
  },
  async ({ core, isJson, surroundings: { err } }) => {
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
      text: () => `Everything is encrypted with the key ${keyId} now: ${count(encrypted)} anew.`,
      note: "Other keys may be taken out of HERMOD_SECRET_KEYS; every process checks at its start that none is missing.",
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
