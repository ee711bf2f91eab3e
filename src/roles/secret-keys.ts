import type { Config } from "../config.ts";
import { newSecretKey, parseSecretKey, SECRET_KEY_FORM, type SecretKey } from "../shared/secret-keys.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { StoreConnection } from "../store/connect.ts";
import { missingSecretKeys } from "../store/sealing/missing-keys.ts";
import { createSealing, type Sealing } from "../store/sealing/sealing.ts";
import { createSecretStore } from "../store/secret-store.ts";
import type { DataDir } from "./data-dir.ts";

/** @throws StartupError when a process that opens a MongoDB has no keys for the secrets in it */
export function requireSecretKeys({ store: { mongodbUrl: url, secretKeys: keys } }: Config): void {
  if (url === undefined || keys.length > 0) return;
  throw new StartupError(
    "HERMOD_SECRET_KEYS: must be set with MONGODB_URL: it encrypts the DKIM keys and passwords in the database. " +
      "Create a key with `hermod secrets new-key` or `openssl rand -hex 32`, keep a copy of it in a safe place, and give " +
      "it to every core and worker.",
  );
}

/**
 * Encryption of the secrets of this store: the keys of the settings; otherwise those of the data folder, where the first start
 * with the embedded engine creates one.
 * @throws StartupError when something in the store is encrypted with a missing key
 */
export async function openSealing(
  { store: { secretKeys: configured } }: Config,
  dataDir: DataDir,
  db: StoreConnection["db"],
): Promise<Sealing> {
  const inSettings = configured.length > 0;
  const inDataDir = await dataDir.secretKeys();
  const known = inSettings ? configured : inDataDir;
  const texts = known ?? [newSecretKey()];
  const where = inSettings ? "HERMOD_SECRET_KEYS" : dataDir.secretKeysFile;
  const sealing = createSealing(readKeys(texts, where));
  const demandKeys = async () => {
    const missing = await missingSecretKeys(db, sealing);
    if (missing.length === 0) return;
    const given = known ? `has ${sealing.keyIds.join(", ")}` : "does not exist";
    const elsewhere = inSettings && inDataDir ? ` ${dataDir.secretKeysFile} also has a key.` : "";
    throw new StartupError(
      `HERMOD_SECRET_KEYS: secrets in the database are encrypted with ${keyList(missing)}, but ${where} ${given}. ` +
        `Add the missing keys: without them the secrets cannot be decrypted.${elsewhere}`,
    );
  };
  await demandKeys();
  // Stored on the disk before anything is encrypted with it.
  if (!known) await dataDir.saveSecretKeys(texts);
  // Several processes may start at once with different keys: the first one decides, and the others fail.
  try {
    await createSecretStore(db, sealing).getOrCreate("check");
  } catch (error) {
    await demandKeys();
    throw error;
  }
  return sealing;
}

function keyList(ids: readonly string[]): string {
  return `${ids.length === 1 ? "the key" : "the keys"} ${ids.join(", ")}`;
}

function readKeys(texts: readonly string[], where: string): [SecretKey, ...SecretKey[]] {
  const [first, ...others] = texts.map((text) => {
    const key = parseSecretKey(text);
    if (!key) throw new StartupError(`${where}: each key must be ${SECRET_KEY_FORM}.`);
    return key;
  });
  if (!first) throw new StartupError(`${where}: must contain a key.`);
  return [first, ...others];
}
