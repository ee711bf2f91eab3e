import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Certificates {
  /** Names the authority of all the others. */
  readonly ca: string;
  readonly server: KeyPair;
  readonly client: KeyPair;
  /** Of another authority. */
  readonly stranger: KeyPair;
}

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const DAYS = "2";

/** Makes an authority and certificates for a core on 127.0.0.1 and for its callers, as PEM files. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const file = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => run("openssl", args, { cwd: folder });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

  async function authority(name: string): Promise<KeyPair> {
    const pair = { cert: file(`${name}.crt`), key: file(`${name}.key`) };
    const subject = ["-subj", `/CN=${name}`, "-days", DAYS];
    await openssl("req", "-x509", ...newKey, "-keyout", pair.key, "-out", pair.cert, ...subject);
    return pair;
  }

  async function signed(name: string, by: KeyPair, extensions: string): Promise<KeyPair> {
    const pair = { cert: file(`${name}.crt`), key: file(`${name}.key`) };
    await writeFile(file(`${name}.ext`), extensions);
    await openssl("req", ...newKey, "-keyout", pair.key, "-out", file(`${name}.csr`), "-subj", `/CN=${name}`);
    await openssl(
      ...["x509", "-req", "-in", file(`${name}.csr`), "-days", DAYS, "-out", pair.cert],
      ...["-CA", by.cert, "-CAkey", by.key, "-CAcreateserial", "-extfile", file(`${name}.ext`)],
    );
    return pair;
  }

  const ca = await authority("authority");
  const other = await authority("other-authority");
  const callers = "extendedKeyUsage = clientAuth\n";
  return {
    ca: ca.cert,
    server: await signed(
      "core",
      ca,
      "subjectAltName = IP:127.0.0.1, DNS:localhost\nextendedKeyUsage = serverAuth\n",
    ),
    client: await signed("caller", ca, callers),
    stranger: await signed("stranger", other, callers),
  };
}
