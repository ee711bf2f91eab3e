import net, { isIP, type Socket } from "node:net";
import { failurePhrase, phrase } from "../shared/phrase.ts";
import { abandoned, SmtpError } from "./smtp-error.ts";

export interface DialOptions {
  /** IP address, resolved by the caller. */
  readonly host: string;
  readonly port: number;
  /** Address of this machine, of the same family; undefined: the system chooses. */
  readonly localAddress: string | undefined;
  readonly timeoutMs: number;
  /** Aborted: the connection is no longer needed. */
  readonly ending?: AbortSignal | undefined;
}

/** Errors of this machine, independent of the server: no more files, ports or memory. */
const OUR_FAULTS = ["EMFILE", "ENFILE", "EADDRNOTAVAIL", "EADDRINUSE", "ENOBUFS", "ENOMEM"];

/**
 * Opens a TCP connection.
 * @throws SmtpError `down`, unless the cause is this machine
 */
export async function dial({ host, port, localAddress, timeoutMs, ending }: DialOptions): Promise<Socket> {
  // Otherwise connecting throws an error that does not name the address.
  if (localAddress !== undefined && isIP(localAddress) === 0) throw unusable(localAddress, "no IP address");
  if (ending?.aborted) throw abandoned("connect");
  const socket = net.connect({ host, port, noDelay: true, ...(localAddress && { localAddress }) });
  // A permanent listener: an unhandled error event would end the process.
  socket.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      ending?.removeEventListener("abort", onEnding);
    };
    const fail = (error: SmtpError) => {
      settle();
      socket.destroy();
      reject(error);
    };
    const onEnding = () => fail(abandoned("connect"));
    ending?.addEventListener("abort", onEnding);
    const timer = setTimeout(() => {
      fail(
        new SmtpError(phrase("server.connect_timeout", { ms: timeoutMs }), {
          phase: "connect",
          down: true,
          timedOut: true,
        }),
      );
    }, timeoutMs);
    socket.once("connect", () => {
      settle();
      resolve(socket);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      const { code = "" } = error;
      if (localAddress !== undefined && isBindFault(error)) return fail(unusable(localAddress, code, error));
      fail(
        new SmtpError(failurePhrase(error), {
          phase: "connect",
          down: !OUR_FAULTS.includes(code),
          cause: error,
        }),
      );
    });
  });
}

function unusable(localAddress: string, why: string, cause?: unknown): SmtpError {
  const wording = phrase("server.unusable_source", { address: localAddress, detail: why });
  return new SmtpError(wording, { phase: "connect", cause });
}

/** Some systems report the error only when connecting. */
function isBindFault({ code, syscall }: NodeJS.ErrnoException): boolean {
  return syscall === "bind" || code === "EADDRNOTAVAIL";
}
