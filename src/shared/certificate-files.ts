import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Logger } from "./logger.ts";
import { serverTls, type TlsCertificate } from "./server-tls.ts";

export interface CertificateFilesOptions {
  /** Description of the servers that use it. */
  readonly of: string;
  /** PEM files. */
  readonly cert: string;
  readonly key: string;
  readonly log: Logger;
}

export interface CertificateFiles {
  /** Last usable pair. */
  readonly current: TlsCertificate;
  onChange(use: (certificate: TlsCertificate) => void): void;
  /** Reads the files again if they have changed. */
  check(): void;
}

/**
 * A certificate and its key, read again when their files change, so that a renewal needs no restart. The files are
 * checked regularly, because their folder may be replaced through a symbolic link, which emits no event. A certificate
 * that is not valid at this time is used nevertheless and logged, because clients use their own clocks.
 * @throws Error if the files cannot be used at the start
 */
export function openCertificateFiles({ of, cert, key, log }: CertificateFilesOptions): CertificateFiles {
  const users: ((certificate: TlsCertificate) => void)[] = [];
  let seen = stateOf(cert, key);
  let current = readPair(cert, key);
  let validity = validityOf(current);
  let isWarned = false;

  function poll(): void {
    const state = stateOf(cert, key);
    if (state !== seen) {
      seen = state;
      replace();
    }
    warnWhenInvalid();
  }

  function replace(): void {
    try {
      current = readPair(cert, key);
      validity = validityOf(current);
      isWarned = false;
      for (const use of users) use(current);
      log.info({ cert }, `certificate of the ${of} replaced`);
    } catch (error) {
      log.error(
        { err: error, cert },
        `new certificate of the ${of} cannot be used; the previous one stays in use`,
      );
    }
  }

  function warnWhenInvalid(): void {
    const { from, to } = validity;
    const now = Date.now();
    if (isWarned || (from.getTime() <= now && now <= to.getTime())) return;
    isWarned = true;
    const what = now > to.getTime() ? "has expired" : "is not valid yet";
    log.warn({ cert, validFrom: from, validTo: to }, `certificate of the ${of} ${what}`);
  }

  warnWhenInvalid();
  return {
    get current() {
      return current;
    },
    onChange: (use) => void users.push(use),
    check: poll,
  };
}

function readPair(certFile: string, keyFile: string): TlsCertificate {
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  // Throws if one is damaged, or if they do not match.
  createSecureContext(serverTls(pair));
  return pair;
}

function validityOf({ cert }: TlsCertificate): { readonly from: Date; readonly to: Date } {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { from: new Date(validFrom), to: new Date(validTo) };
}

function stateOf(...files: readonly string[]): string {
  return files
    .map((file) => {
      const { ino = 0, size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      return `${ino} ${size} ${mtimeMs}`;
    })
    .join(", ");
}
