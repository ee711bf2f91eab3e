import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { issueCertificate } from "../shared/issue-certificate.ts";
import { StartupError } from "../shared/startup-error.ts";

const DAY_MS = 86_400_000;
const VALID_DAYS = 730;
const RENEW_BEFORE_DAYS = 30;

export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * A self-signed certificate, so that STARTTLS works before another one is configured: created once, stored in the data folder,
 * and renewed at a start shortly before it expires.
 * @throws StartupError when the folder cannot be written
 */
export async function selfSignedCertificate(dataDir: string, name = hostname()): Promise<CertificatePair> {
  const pair = { cert: path.join(dataDir, "smtp-tls.crt"), key: path.join(dataDir, "smtp-tls.key") };
  if (isUsable(pair)) return pair;
  const now = Date.now();
  const certificate = issueCertificate({
    // ub-common-name of RFC 5280; the names count anyway.
    subject: name.slice(0, 64),
    names: [...new Set([name, "localhost"])],
    addresses: ["127.0.0.1", "::1"],
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + VALID_DAYS * DAY_MS),
  });
  try {
    await save(pair.key, certificate.keyPem);
    await save(pair.cert, certificate.pem);
  } catch (error) {
    throw new StartupError(`HERMOD_DATA_DIR: cannot write ${pair.cert}: ${String(error)}`, error);
  }
  return pair;
}

function isUsable({ cert, key }: CertificatePair): boolean {
  if (!existsSync(cert) || !existsSync(key)) return false;
  try {
    const known = new X509Certificate(readFileSync(cert));
    const lasts = Date.parse(known.validTo) > Date.now() + RENEW_BEFORE_DAYS * DAY_MS;
    return lasts && known.checkPrivateKey(createPrivateKey(readFileSync(key)));
  } catch {
    return false;
  }
}

async function save(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
