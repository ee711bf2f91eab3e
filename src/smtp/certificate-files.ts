import { readFileSync, statSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Logger } from "../shared/logger.ts";
import type { ListenerTls } from "./listener.ts";

export interface CertificateFilesOptions {
  /** PEM files. */
  readonly cert: string;
  readonly key: string;
  readonly log: Logger;
}

export interface CertificateFiles {
  /** The last pair that could be used. */
  readonly current: ListenerTls;
  onChange(use: (tls: ListenerTls) => void): void;
  /** Reads the files again if they have changed. */
  look(): void;
}

/**
 * A certificate and its key, read again when their files change: who renews them need not restart anything. Files are
 * looked at now and then, for their folder may be swapped as a whole behind a symbolic link, which is no event.
 * @throws Error when the files cannot be used at the start
 */
export function openCertificateFiles({ cert, key, log }: CertificateFilesOptions): CertificateFiles {
  const listeners: ((tls: ListenerTls) => void)[] = [];
  let seen = stateOf(cert, key);
  let current = readPair(cert, key);

  function look(): void {
    const state = stateOf(cert, key);
    if (state === seen) return;
    seen = state;
    try {
      current = readPair(cert, key);
      for (const use of listeners) use(current);
      log.info({ cert }, "certificate of the SMTP listeners replaced");
    } catch (error) {
      log.error({ err: error, cert }, "new certificate cannot be used; the one before stays");
    }
  }

  return {
    get current() {
      return current;
    },
    onChange: (use) => void listeners.push(use),
    look,
  };
}

function readPair(certFile: string, keyFile: string): ListenerTls {
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  // Throws when one is damaged, or they do not belong together.
  createSecureContext(pair);
  return pair;
}

function stateOf(...files: readonly string[]): string {
  return files
    .map((file) => {
      const { ino = 0, size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      return `${ino} ${size} ${mtimeMs}`;
    })
    .join(", ");
}
