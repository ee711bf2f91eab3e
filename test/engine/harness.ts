import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Document, deserialize, serialize } from "bson";
import { type EmbeddedEngine, startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "../harness/engine-thread.ts";

export interface RunningEngine extends Pick<EmbeddedEngine, "url" | "channel"> {
  directory: string;
  /** Ends the engine and removes its data. */
  close(): Promise<void>;
}

export function freshDirectory(): string {
  return mkdtempSync(join(tmpdir(), "engine-test-"));
}

export async function startEngine(options: { housekeepingIntervalMs?: number } = {}): Promise<RunningEngine> {
  const directory = freshDirectory();
  const engine = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD, ...options });
  return {
    url: engine.url,
    channel: engine.channel,
    directory,
    close: async () => {
      await engine.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A command as a message of the wire protocol, in a buffer of its own. */
export function messageOf(command: Document): Uint8Array<ArrayBuffer> {
  const body = serialize(command);
  const header = Buffer.alloc(21);
  for (const [at, number] of [21 + body.length, 1, 0, 2013].entries()) header.writeInt32LE(number, at * 4);
  return new Uint8Array(Buffer.concat([header, body]));
}

/** The document that a reply carries. */
export function sayingOf(reply: Uint8Array): Document {
  return deserialize(reply.subarray(21));
}

/** Sends one command as it is, over a connection of its own, and gives the reply. */
export async function rawCommand(url: string, command: Document): Promise<Document> {
  const socket = connect(decodeURIComponent(new URL(url).host));
  socket.write(messageOf(command));
  let reply = Buffer.alloc(0);
  for await (const chunk of socket) {
    reply = Buffer.concat([reply, chunk as Buffer]);
    if (reply.length >= 4 && reply.length >= reply.readInt32LE(0)) break;
  }
  return sayingOf(reply);
}
