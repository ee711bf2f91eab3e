import { parseSecretKey } from "../../src/shared/secret-keys.ts";
import { createSealing, type Sealing } from "../../src/store/sealing/sealing.ts";

/** HERMOD_SECRET_KEYS for a Hermod without own keys, with a MONGODB_URL. */
export const TEST_SECRET_KEY = "5ec2e7".padEnd(64, "0");

/** Encrypts with the first of these keys and decrypts with all. */
export function sealingWith(first: string, ...others: readonly string[]): Sealing {
  const [key, ...older] = [first, ...others].map((text) => {
    const parsed = parseSecretKey(text);
    if (!parsed) throw new Error(`${text} is no key`);
    return parsed;
  });
  if (!key) throw new Error("there is no key");
  return createSealing([key, ...older]);
}

export const testSealing = sealingWith(TEST_SECRET_KEY);
