import { isIP, type Socket } from "node:net";
import tls, { type SecureContext, type TLSSocket } from "node:tls";
import type { TlsPeer } from "../transport-security/tls-demand.ts";
import { SmtpError, type SmtpErrorDetails } from "./smtp-error.ts";

export interface EncryptOptions {
  /** The name or the address that the certificate has to have. */
  readonly serverName: string;
  /** What is wrong with the server; undefined: nothing. Not given: any certificate will do. */
  readonly verify: ((peer: TlsPeer) => string | undefined) | undefined;
  readonly timeoutMs: number;
  /** Versions, ciphers and authorities; undefined: those of Node. */
  readonly secureContext?: SecureContext | undefined;
}

/**
 * Puts TLS on a connection. Whatever ends the handshake is a failure of TLS: servers that cannot agree on it often
 * just hang up.
 * @throws SmtpError `tls`
 */
export function encrypt(
  socket: Socket,
  { serverName, verify, timeoutMs, secureContext }: EncryptOptions,
): Promise<TLSSocket> {
  // Whether the certificate is good enough is for `verify` to say, so any may come.
  const secure = tls.connect({
    socket,
    host: serverName,
    ...(isIP(serverName) === 0 && { servername: serverName }),
    rejectUnauthorized: false,
    ...(secureContext && { secureContext }),
  });
  // From here to the end somebody listens: an error that nobody hears would end the process.
  secure.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const fail = (message: string, details: Pick<SmtpErrorDetails, "cause" | "timedOut"> = {}) => {
      clearTimeout(timer);
      secure.destroy();
      socket.destroy();
      reject(new SmtpError(message, { phase: "starttls", tls: true, ...details }));
    };
    const onError = (error: Error) => fail(`TLS handshake failed: ${error.message}`, { cause: error });
    const onClose = () => fail("TLS handshake failed: the server closed the connection");
    const timer = setTimeout(() => {
      fail(`TLS handshake timed out after ${timeoutMs} ms`, { timedOut: true });
    }, timeoutMs);

    secure.on("error", onError);
    secure.on("close", onClose);
    secure.once("secureConnect", () => {
      clearTimeout(timer);
      secure.off("error", onError);
      secure.off("close", onClose);
      try {
        const complaint = verify?.(peerOf(secure, serverName));
        if (complaint === undefined) return resolve(secure);
        fail(complaint);
      } catch (error) {
        // A certificate can be odd enough to break who reads it; that is no reason to trust it.
        const message = error instanceof Error ? error.message : error;
        fail(`the certificate cannot be checked: ${message}`, { cause: error });
      }
    });
  });
}

function peerOf(socket: TLSSocket, serverName: string): TlsPeer {
  const error: unknown = socket.authorizationError;
  return {
    serverName,
    authorized: socket.authorized,
    authorizationError: error ? String(error instanceof Error ? error.message : error) : undefined,
    certificate: socket.getPeerCertificate(true),
  };
}
