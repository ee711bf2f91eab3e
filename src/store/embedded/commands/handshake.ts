import { arch, platform, release } from "node:os";
import { DateTime, type Doc, doc, int } from "../bson/values.ts";
import { MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES } from "../server/wire.ts";
import type { Call, Command } from "./command.ts";

/** The language spoken is that of MongoDB 7.0. */
const WIRE_VERSION = 21;
const VERSION = "7.0.0";

/**
 * The engine presents itself as the primary of a replica set of one: drivers use sessions, transactions and retryable
 * writes with nothing less. No topologyVersion is given, so that they ask from time to time and do not wait.
 */
function hello(call: Call): Doc {
  const legacy = call.name !== "hello";
  return doc({
    helloOk: true,
    [legacy ? "ismaster" : "isWritablePrimary"]: true,
    setName: "embedded",
    setVersion: int(1),
    secondary: false,
    hosts: ["embedded:27017"],
    primary: "embedded:27017",
    me: "embedded:27017",
    maxBsonObjectSize: int(MAX_DOCUMENT_BYTES),
    maxMessageSizeBytes: int(MAX_MESSAGE_BYTES),
    maxWriteBatchSize: int(100_000),
    localTime: new DateTime(call.engine.now()),
    logicalSessionTimeoutMinutes: int(30),
    connectionId: int(1),
    minWireVersion: int(0),
    maxWireVersion: int(WIRE_VERSION),
    readOnly: false,
  });
}

export const helloCommand: Command = { fields: [], anyFields: true, run: hello };

/** Answers with an error, besides, while the disk takes no writes: who asks wants to know whether to go on. */
export const ping: Command = {
  fields: [],
  run: ({ engine: { room } }) => {
    if (room.trouble !== undefined) throw room.trouble;
    return new Map();
  },
};

export const buildInfo: Command = {
  fields: [],
  run: () =>
    doc({
      version: VERSION,
      versionArray: VERSION.split(".")
        .map((part) => int(Number(part)))
        .concat(int(0)),
      gitVersion: "embedded",
      modules: ["embedded"],
      sysInfo: `${platform()} ${release()} ${arch()}`,
      bits: int(64),
      debug: false,
      maxBsonObjectSize: int(MAX_DOCUMENT_BYTES),
      storageEngines: ["sqlite"],
    }),
};
