import { randomInt } from "node:crypto";
import { type DkimAlgorithm, generateDkimKeyPair } from "../../message/dkim/keys.ts";
import type { NewDomainKey } from "../../store/domain-key-store.ts";

const suffixes: Readonly<Record<DkimAlgorithm, string>> = { "rsa-sha256": "r", "ed25519-sha256": "e" };

/** A pair of keys, one of each algorithm, that sign from a given time on. */
export async function makeDomainKeys(domain: string, now: Date, signsFrom: Date): Promise<NewDomainKey[]> {
  const algorithms = Object.keys(suffixes) as DkimAlgorithm[];
  return Promise.all(
    algorithms.map(async (algorithm) => {
      const { privateKey } = await generateDkimKeyPair(algorithm);
      // Different from all earlier selectors, which verifiers may have cached, and from those of another account with
      // the same domain.
      const chance = randomInt(36 ** 4)
        .toString(36)
        .padStart(4, "0");
      const selector = `hm${now.getTime().toString(36)}${chance}${suffixes[algorithm]}`;
      return {
        domain,
        selector,
        algorithm,
        privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        signsFrom,
        createdAt: now,
      };
    }),
  );
}
