import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type CertificateOptions, issueCertificate } from "../../src/shared/issue-certificate.ts";

export interface Certificates {
  /** The authority of all others. */
  readonly ca: string;
  readonly server: KeyPair;
  readonly client: KeyPair;
  /** Issued by another authority. */
  readonly stranger: KeyPair;
}

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

/** Makes an authority and certificates for a core on 127.0.0.1 and for its callers, as PEM files. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  async function save(name: string, options: Omit<CertificateOptions, "subject">): Promise<KeyPair> {
    const { pem, keyPem } = issueCertificate({ subject: name, ...options });
    const pair = { cert: path.join(folder, `${name}.crt`), key: path.join(folder, `${name}.key`) };
    await Promise.all([writeFile(pair.cert, pem), writeFile(pair.key, keyPem, { mode: 0o600 })]);
    return pair;
  }

  const issuer = issueCertificate({ subject: "authority", authority: true });
  const other = issueCertificate({ subject: "other-authority", authority: true });
  const ca = path.join(folder, "authority.crt");
  await writeFile(ca, issuer.pem);
  return {
    ca,
    server: await save("core", {
      issuer,
      names: ["localhost"],
      addresses: ["127.0.0.1"],
      purpose: SERVER_AUTH,
    }),
    client: await save("caller", { issuer, purpose: CLIENT_AUTH }),
    stranger: await save("stranger", { issuer: other, purpose: CLIENT_AUTH }),
  };
}
