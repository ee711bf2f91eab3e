import net from "node:net";
import tls from "node:tls";
import type { Problem } from "../../contracts/common/problem.ts";

/** An answer as received over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By lowercase name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Body of a problem answer. */
  readonly problem: Problem;
}

export interface TalkOptions {
  /** Octets that are sent after the first octets of an answer have arrived. */
  readonly later?: string | Buffer;
  /** Closes its side afterwards. */
  readonly end?: boolean;
  /** PEM certificate of the trusted authority; undefined: no TLS. */
  readonly ca?: string;
}

/** Writes octets to a server and resolves to all answers until the server closes the connection. */
export async function talk(
  url: string,
  bytes: string | Buffer,
  { later, end = false, ca }: TalkOptions = {},
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const chunks: Buffer[] = [];
  const at = { host: hostname, port: Number(port), allowHalfOpen: true };
  const socket = ca === undefined ? net.connect(at) : tls.connect({ ...at, ca });
  socket.write(bytes);
  if (end) socket.end();
  if (later !== undefined) socket.once("data", () => socket.write(later));
  await new Promise((resolve, reject) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.once("end", resolve);
    socket.once("error", reject);
  }).finally(() => socket.destroy());
  return readAnswers(Buffer.concat(chunks));
}

/** @throws Error for octets that belong to no answer */
function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    const [statusLine = "", ...lines] = bytes.toString("latin1", at, headEnd).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (headEnd === -1 || Number.isNaN(status))
      throw new Error(`This is no answer: ${bytes.toString("latin1", at)}`);
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const start = headEnd + 4;
    const end = start + Number(headers.get("content-length") ?? 0);
    const body = bytes.toString("utf8", start, end);
    const isProblem = headers.get("content-type") === "application/problem+json";
    answers.push({ status, headers, body, problem: isProblem ? JSON.parse(body) : undefined });
    at = end;
  }
  return answers;
}
