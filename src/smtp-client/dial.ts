import net, { isIP, type Socket } from "node:net";
import { abandoned, SmtpError } from "./smtp-error.ts";

export interface DialOptions {
  /** An IP address: who calls has resolved it. */
  readonly host: string;
  readonly port: number;
  /** An address of this machine, of the same family; undefined: the system chooses. */
  readonly localAddress: string | undefined;
  readonly timeoutMs: number;
  /** Aborted: nobody wants the connection any more. */
  readonly ending?: AbortSignal | undefined;
}

/** Faults of this machine, whatever server was meant: out of files, ports or memory. */
const OUR_FAULTS = ["EMFILE", "ENFILE", "EADDRNOTAVAIL", "EADDRINUSE", "ENOBUFS", "ENOMEM"];

/**
 * Opens a TCP connection.
 * @throws SmtpError `down`, unless this machine itself is the reason
 */
export async function dial({ host, port, localAddress, timeoutMs, ending }: DialOptions): Promise<Socket> {
  // Otherwise connecting throws a fault that names no address.
  if (localAddress !== undefined && isIP(localAddress) === 0) throw unusable(localAddress, "no IP address");
  if (ending?.aborted) throw abandoned("connect");
  const socket = net.connect({ host, port, noDelay: true, ...(localAddress && { localAddress }) });
  // From here to the end somebody listens: an error that nobody hears would end the process.
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
      const message = `connection timed out after ${timeoutMs} ms`;
      fail(new SmtpError(message, { phase: "connect", down: true, timedOut: true }));
    }, timeoutMs);
    socket.once("connect", () => {
      settle();
      resolve(socket);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      const { code = "", message } = error;
      if (localAddress !== undefined && isBindFault(error)) return fail(unusable(localAddress, code, error));
      fail(new SmtpError(message, { phase: "connect", down: !OUR_FAULTS.includes(code), cause: error }));
    });
  });
}

function unusable(localAddress: string, why: string, cause?: unknown): SmtpError {
  const message = `the source address ${localAddress} cannot be used on this machine: ${why}`;
  return new SmtpError(message, { phase: "connect", cause });
}

/** Some systems find out only when connecting. */
function isBindFault({ code, syscall }: NodeJS.ErrnoException): boolean {
  return syscall === "bind" || code === "EADDRNOTAVAIL";
}
