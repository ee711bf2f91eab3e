import { createSocket } from "node:dgram";
import { connect, isIP } from "node:net";
import type { DnsServer } from "../shared/dns-server-address.ts";
import { AskError } from "./failure.ts";
import { answersQuery, isTruncated } from "./message.ts";

/** Datagrams that do not answer the query are ignored up to this number: an attacker may be guessing its id. */
const MAX_STRAY_DATAGRAMS = 50;

/** Transport of the query: TCP at once, or only for an answer that does not fit into a datagram (RFC 7766). */
export type Transport = "udp" | "tcp";

/**
 * Sends one query to one server. Every query has its own socket, and so an unpredictable port (RFC 5452). It waits until the
 * signal is aborted: the caller decides on the timeout.
 * @throws AskError when there is no answer
 */
export async function askServer(
  server: DnsServer,
  query: Buffer,
  transport: Transport,
  signal: AbortSignal,
): Promise<Buffer> {
  if (transport === "tcp") return askByTcp(server, query, signal);
  const answer = await askByUdp(server, query, signal);
  return isTruncated(answer) ? askByTcp(server, query, signal) : answer;
}

function askByUdp({ address, port }: DnsServer, query: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let strays = 0;
    const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4");
    const end = () => {
      signal.removeEventListener("abort", giveUp);
      for (const event of ["connect", "message", "error"]) socket.removeAllListeners(event);
      socket.on("error", () => undefined);
      socket.close();
    };
    const fail = (error: AskError) => {
      end();
      reject(error);
    };
    const giveUp = () => fail(new AskError("timeout", "no answer in time"));
    signal.addEventListener("abort", giveUp);
    // The timer does not keep the process alive.
    socket.unref();
    socket.on("error", ({ message }) => fail(new AskError("unreachable", message)));
    socket.on("connect", () => socket.send(query));
    socket.on("message", (message) => {
      if (answersQuery(query, message)) {
        end();
        resolve(message);
      } else if (++strays >= MAX_STRAY_DATAGRAMS) {
        fail(new AskError("malformed", "too many answers to other questions"));
      }
    });
    // Connected: the kernel drops datagrams of other hosts, and reports a closed port.
    socket.connect(port, address);
  });
}

function askByTcp({ address, port }: DnsServer, query: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let wanted = 2;
    const socket = connect({ host: address, port });
    const end = () => {
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
    };
    const fail = (error: AskError) => {
      end();
      reject(error);
    };
    const giveUp = () => fail(new AskError("timeout", "no answer over TCP in time"));
    signal.addEventListener("abort", giveUp);
    socket.unref();
    socket.on("error", ({ message }) => fail(new AskError("unreachable", message)));
    socket.on("close", () =>
      fail(new AskError("unreachable", "the connection was closed before the answer")),
    );
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received < wanted) return;
      const bytes = Buffer.concat(chunks);
      wanted = 2 + bytes.readUInt16BE(0);
      if (received < wanted) return;
      const message = bytes.subarray(2, wanted);
      if (!answersQuery(query, message))
        return fail(new AskError("malformed", "an answer to another question over TCP"));
      if (isTruncated(message)) return fail(new AskError("malformed", "a truncated answer over TCP"));
      end();
      resolve(message);
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
  });
}
