import { once } from "node:events";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { afterEach, expect, it } from "vitest";
import { email } from "../harness/http.ts";
import { ask, openHttp2, sendHead } from "../harness/http2-client.ts";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  headers,
  openRawHttp2,
  rawHead,
} from "../harness/raw-http2.ts";
import { startTestEdge, type TestEdge } from "../harness/test-edge.ts";

const goodBody = JSON.stringify(email());
/** A timeout that a correct shutdown never reaches. */
const LONG_MS = 3_600_000;

let edge: TestEdge;
const open: { destroy(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  await edge.close();
});

it("finishes running requests over HTTP/2, and announces the end to its clients", async () => {
  edge = await startTestEdge({ holds: true });
  const session = await openHttp2(edge.url, edge.ca);
  const raw = await openRawHttp2(edge.url, edge.ca);
  open.push(session, raw.socket);
  const upload = ask(session, sendHead(edge.key), null);
  const sent = ask(session, sendHead(edge.key), goodBody);
  raw.write(headers(1, rawHead("POST", "/v1/send", edge.key)));
  raw.write(frame(FRAME.data, END_STREAM, 1, Buffer.from(goodBody)));
  await edge.begun.until(2);
  const goaway = once(session, "goaway");
  const drained = edge.drain(LONG_MS);
  await goaway;
  // Not accepted: from GOAWAY's last stream the client knows that it may repeat the request elsewhere.
  expect(await raw.errorOf(0)).toBe(0);
  raw.write(headers(3, rawHead("POST", "/v1/send", edge.key)));
  raw.write(frame(FRAME.data, END_STREAM, 3, Buffer.from(goodBody)));
  upload.stream.end(goodBody);
  await edge.begun.until(3);
  for (const answer of edge.atWork.splice(0)) answer();
  for (const { answer } of [upload, sent]) {
    const { status, headers } = await answer;
    expect([status, headers.connection]).toEqual([202, undefined]);
  }
  await raw.frames.until((seen) => seen.some(({ type, stream }) => type === FRAME.data && stream === 1));
  await raw.closed;
  await drained;
  expect(edge.begun.seen.length).toBe(3);
});

it("closes idle connections, whatever their clients do", async () => {
  edge = await startTestEdge();
  const idle = await openHttp2(edge.url, edge.ca);
  await ask(idle, { ":path": "/docs" }).answer;
  const agent = new https.Agent({ keepAlive: true, ca: edge.ca });
  const [answer] = await once(https.get(`${edge.url}/docs`, { agent }), "response");
  answer.resume();
  await once(answer, "end");
  const unused = tls.connect({ port: edge.port, host: "127.0.0.1", ca: edge.ca });
  unused.on("error", () => {});
  await once(unused, "secureConnect");
  const handshake = net.connect(edge.port, "127.0.0.1");
  handshake.on("error", () => {});
  await once(handshake, "connect");
  // A client that never reads.
  const deaf = net.connect({ port: edge.port, host: "127.0.0.1", allowHalfOpen: true });
  await once(deaf, "connect");
  const deafTls = tls.connect({ socket: deaf, ca: edge.ca, ALPNProtocols: ["h2"] });
  deafTls.on("error", () => {});
  await once(deafTls, "secureConnect");
  deafTls.write(
    Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(FRAME.settings, 0, 0)]),
  );
  await once(deafTls, "data");
  deafTls.pause();
  open.push(idle, agent, unused, handshake, deaf);
  await edge.drain(LONG_MS);
});

it("also closes unused connections without TLS", async () => {
  edge = await startTestEdge({ isSecure: false });
  const unused = net.connect(edge.port, "127.0.0.1");
  unused.on("error", () => {});
  await once(unused, "connect");
  await edge.connections.until(1);
  open.push(unused);
  await edge.drain(LONG_MS);
});

it("closes unfinished connections after the drain time", async () => {
  edge = await startTestEdge();
  const session = await openHttp2(edge.url, edge.ca);
  open.push(session);
  const { stream, answer } = ask(session, sendHead(edge.key), null);
  stream.write("{");
  const raw = await openRawHttp2(edge.url, edge.ca);
  open.push(raw.socket);
  // More than the capacity of its window.
  raw.write(headers(1, rawHead("GET", "/docs/scalar.js"), END_HEADERS | END_STREAM));
  await raw.frames.until((seen) => seen.some(({ type }) => type === FRAME.data));
  await edge.drain(300);
  await raw.closed;
  await expect(answer).rejects.toThrow();
});
