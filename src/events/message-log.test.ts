import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLogger, type LogLevel } from "../shared/logger.ts";
import type { EventDocument, MessageDocument } from "../store/message-documents.ts";
import { createMessageLog } from "./message-log.ts";

const message = {
  _id: "msg_1",
  traceId: "sx_1",
  accountId: "acc_1",
  from: "ada@example.com",
  recipient: "bob.secret@example.org",
  recipientDomain: "example.org",
  subject: "Hello",
} as MessageDocument;
const event = { kind: "delivered", via: "direct mx.example.org[192.0.2.1]:25" } as EventDocument;

function logAt(level: LogLevel) {
  const stream = new PassThrough();
  const lines = () =>
    String(stream.read() ?? "")
      .split("\n")
      .filter(Boolean);
  return { log: createMessageLog(createLogger(level, stream)), lines };
}

/** Fails the test when any property is read. */
function untouchable<T extends object>(): T {
  const get = () => {
    throw new Error("it was read");
  };
  return new Proxy({} as T, { get, ownKeys: get, has: get });
}

it("writes one line without addresses for an accepted message", () => {
  const { log, lines } = logAt("info");
  log.accepted(message);
  const [line = "", ...others] = lines();
  expect(others).toEqual([]);
  const { level, msg, traceId, message: id, account, domain } = JSON.parse(line);
  expect([level, msg]).toEqual(["info", "message accepted"]);
  expect([traceId, id, account, domain]).toEqual(["sx_1", "msg_1", "acc_1", "example.org"]);
  expect(line).not.toMatch(/secret|ada|Hello/);
});

it("writes one line for an attempt, with its result, server and duration", () => {
  const { log, lines } = logAt("info");
  log.attempted(message, event, 12.6);
  const [line = "", ...others] = lines();
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({
    level: "info",
    msg: "delivery attempted",
    traceId: "sx_1",
    message: "msg_1",
    domain: "example.org",
    state: "delivered",
    server: "direct mx.example.org[192.0.2.1]:25",
    ms: 13,
  });
  expect(line).not.toMatch(/secret|ada|Hello/);
});

it.each<LogLevel>(["warn", "error", "silent"])("reads nothing of a message at the level %s", (level) => {
  const { log, lines } = logAt(level);
  log.accepted(untouchable());
  log.attempted(untouchable(), untouchable(), 1);
  expect(lines()).toEqual([]);
});

it("writes a single line even if names contain line breaks or JSON", () => {
  const { log, lines } = logAt("info");
  const forged = 'x\n{"level":"error"}\r\u2028\u202e","state":"bounced';
  log.accepted({ ...message, traceId: forged, recipientDomain: forged });
  log.attempted({ ...message, recipientDomain: forged }, { ...event, via: forged }, 1);
  const written = lines();
  expect(written).toHaveLength(2);
  expect(JSON.parse(written[0] ?? "")).toMatchObject({ level: "info", traceId: forged, domain: forged });
  const { state, server } = JSON.parse(written[1] ?? "");
  expect([state, server]).toEqual(["delivered", 'x {"level":"error"} ","state":"bounced']);
});
