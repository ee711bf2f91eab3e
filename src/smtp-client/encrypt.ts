import { isIP, type Socket } from "node:net";
import tls, { type SecureContext, type TLSSocket } from "node:tls";
import { failurePhrase, type Phrase, phrase } from "../shared/phrase.ts";
import type { TlsPeer } from "../transport-security/tls-demand.ts";
import { SmtpError, type SmtpErrorDetails } from "./smtp-error.ts";

export interface EncryptOptions {
  /** Name or address that the certificate must have. */
  readonly serverName: string;
  /** Problem of the server; undefined: none. Not given: any certificate is accepted. */
  readonly verify: ((peer: TlsPeer) => Phrase | undefined) | undefined;
  readonly timeoutMs: number;
  /** Versions, ciphers and authorities; undefined: the defaults of Node.js. */
  readonly secureContext?: SecureContext | undefined;
}

/**
 * Starts TLS on a connection. Any end of the handshake is a TLS failure: servers that cannot negotiate TLS often just
 * disconnect.
 * @throws SmtpError `tls`
 */
export function encrypt(
  socket: Socket,
  { serverName, verify, timeoutMs, secureContext }: EncryptOptions,
): Promise<TLSSocket> {
  // `verify` decides about the certificate, so TLS itself accepts any.
  const secure = tls.connect({
    socket,
    host: serverName,
    ...(isIP(serverName) === 0 && { servername: serverName }),
    rejectUnauthorized: false,
    ...(secureContext && { secureContext }),
  });
  // A permanent listener: an unhandled error event would end the process.
  secure.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const fail = (wording: Phrase, details: Pick<SmtpErrorDetails, "cause" | "timedOut"> = {}) => {
      clearTimeout(timer);
      secure.destroy();
      socket.destroy();
      reject(new SmtpError(wording, { phase: "starttls", tls: true, ...details }));
    };
    const onError = (error: Error) =>
      fail(phrase("tls.handshake_failed", { detail: error.message }), { cause: error });
    const onClose = () => fail(phrase("tls.handshake_closed"));
    const timer = setTimeout(() => {
      fail(phrase("tls.handshake_timeout", { ms: timeoutMs }), { timedOut: true });
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
        // A malformed certificate can make `verify` throw. Such a certificate is not trusted.
        fail(phrase("tls.unverifiable", { detail: failurePhrase(error).text }), { cause: error });
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
