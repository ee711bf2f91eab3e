import { DateTime, doc, int } from "../bson/values.ts";
import { MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES } from "../server/wire.ts";
import type { Command } from "./command.ts";

/** MongoDB 8.0, whose `bulkWrite` is spoken: the first that has it. */
const WIRE_VERSION = 25;

/**
 * The engine presents itself as the primary of a replica set of one: drivers use sessions, transactions and retryable
 * writes with nothing less. No topologyVersion is given, so that they ask from time to time and do not wait.
 */
export const hello: Command = {
  fields: undefined,
  run: ({ engine, name }) =>
    doc({
      helloOk: true,
      [name === "hello" ? "isWritablePrimary" : "ismaster"]: true,
      setName: "embedded",
      setVersion: int(1),
      hosts: ["embedded:27017"],
      primary: "embedded:27017",
      me: "embedded:27017",
      maxBsonObjectSize: int(MAX_DOCUMENT_BYTES),
      maxMessageSizeBytes: int(MAX_MESSAGE_BYTES),
      maxWriteBatchSize: int(100_000),
      localTime: new DateTime(engine.now()),
      logicalSessionTimeoutMinutes: int(30),
      minWireVersion: int(0),
      maxWireVersion: int(WIRE_VERSION),
    }),
};

/** Answers with an error, besides, while the disk takes no writes: who asks wants to know whether to go on. */
export const ping: Command = {
  fields: [],
  run: ({ engine: { room } }) => {
    if (room.trouble !== undefined) throw room.trouble;
    return new Map();
  },
};
