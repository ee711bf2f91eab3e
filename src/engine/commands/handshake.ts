import { DateTime, doc, int } from "../bson/values.ts";
import { MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES } from "../server/wire.ts";
import type { Command } from "./command.ts";

/** MongoDB 8.0, the first version with `bulkWrite`, which is supported. */
const WIRE_VERSION = 25;

/**
 * The engine presents itself as the primary of a replica set with one member, because drivers use sessions, transactions and
 * retryable writes only then. It sends no topologyVersion, so that drivers poll instead of waiting.
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

/** While the disk refuses writes, it replies with an error, because the caller wants to know whether to continue. */
export const ping: Command = {
  fields: [],
  run: ({ engine: { space } }) => {
    if (space.trouble !== undefined) throw space.trouble;
    return new Map();
  },
};
