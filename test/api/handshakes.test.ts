import { once } from "node:events";
import net, { type Socket } from "node:net";
import tls from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { openHttp2 } from "../harness/http2-client.ts";
import { talk } from "../harness/raw-http.ts";
import { startTestEdge, type TestEdge } from "../harness/test-edge.ts";

let edge: TestEdge;
const open: { destroy(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  await edge?.close();
});

/** A connection without any data. */
async function silent(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = net.connect({ port, host: "127.0.0.1", localAddress });
  open.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function untilClosed(...sockets: (Socket | undefined)[]): Promise<void> {
  for (const socket of sockets) if (socket && !socket.closed) await once(socket, "close");
}

/** Resolves to the error with which a handshake ends, or to the protocol that it chose. */
async function shakeHands(options: tls.ConnectionOptions): Promise<string> {
  const socket = tls.connect({ port: edge.port, host: "127.0.0.1", ca: edge.ca, ...options });
  open.push(socket);
  return new Promise((resolve) => {
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    socket.once("secureConnect", () => resolve(`${socket.getProtocol()} ${socket.alpnProtocol || "none"}`));
  });
}

describe("the HTTPS port", () => {
  it.each([
    ["HTTP/2, when its client knows it", { ALPNProtocols: ["http/1.1", "h2"] }, "TLSv1.3 h2"],
    ["HTTP/1.1, when that is all its client knows", { ALPNProtocols: ["http/1.1"] }, "TLSv1.3 http/1.1"],
    ["HTTP/1.1, when its client says nothing", {}, "TLSv1.3 none"],
    ["TLS 1.2", { maxVersion: "TLSv1.2", ALPNProtocols: ["h2"] }, "TLSv1.2 h2"],
  ] as const)("speaks %s", async (_name, options, expected) => {
    edge = await startTestEdge();
    expect(await shakeHands(options as tls.ConnectionOptions)).toBe(expected);
  });

  it.each([
    ["another protocol", { ALPNProtocols: ["spdy/3"] }, /ALERT_NO_APPLICATION_PROTOCOL$/],
    [
      "TLS 1.1",
      { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
      /ALERT_PROTOCOL_VERSION$/,
    ],
    [
      "a cipher that HTTP/2 forbids",
      { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256" },
      /HANDSHAKE_FAILURE$/,
    ],
  ] as const)("does not speak %s", async (_name, options, expected) => {
    edge = await startTestEdge();
    expect(await shakeHands(options as tls.ConnectionOptions)).toMatch(expected);
  });

  it.each([
    ["GET", "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["DELETE", "DELETE /docs HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["CONNECT", "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["9 MB", `POST /v1/send HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n${"a".repeat(9_000_000)}`],
  ])("answers clients without TLS: %s", async (_name, bytes) => {
    edge = await startTestEdge();
    const [answer, ...others] = await talk(`http://127.0.0.1:${edge.port}`, bytes);
    expect(others).toEqual([]);
    expect(answer?.problem).toMatchObject({ status: 400, code: "request.malformed" });
    expect(answer?.problem.detail).toContain("HTTPS");
    // A man in the middle could have sent it too (RFC 6797 section 7.2).
    expect(answer?.headers.has("strict-transport-security")).toBe(false);
    expect(edge.answered.seen).toEqual(["unknown unknown 400"]);
    expect(await shakeHands({ ALPNProtocols: ["h2"] })).toBe("TLSv1.3 h2");
  });

  it("survives clients that abort a handshake", async () => {
    edge = await startTestEdge();
    for (const bytes of ["", "\x16\x03\x01", "GET / HTTP/1.1\r\n\r\n", "nonsense"]) {
      for (let count = 0; count < 20; count++) {
        const socket = await silent(edge.port);
        socket.write(bytes, "latin1", () => socket.resetAndDestroy());
        await once(socket, "close");
      }
    }
    expect(await shakeHands({ ALPNProtocols: ["h2"] })).toBe("TLSv1.3 h2");
  });

  it("disconnects only clients that do not finish a handshake in time", async () => {
    edge = await startTestEdge({ times: { handshakeMs: 200 } });
    const session = await openHttp2(edge.url, edge.ca);
    open.push(session);
    const idle = tls.connect({ port: edge.port, host: "127.0.0.1", ca: edge.ca });
    open.push(idle);
    await once(idle, "secureConnect");
    const half = await silent(edge.port);
    half.write("\x16\x03\x01", "latin1");
    await untilClosed(half, await silent(edge.port));
    expect([session.destroyed, idle.destroyed]).toEqual([false, false]);
  });
});
