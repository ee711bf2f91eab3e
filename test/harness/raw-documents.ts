import { connect } from "node:net";
import { BSON, type Db } from "mongodb";

const OP_MSG = 2013;
const HEADER_BYTES = 16;

/**
 * Replaces stored documents byte for byte: drivers write only valid BSON, but disks and other programs can damage it.
 * @param edit changes the bytes of one document in place, or returns others
 */
export async function damage(
  db: Db,
  collection: string,
  // biome-ignore lint/suspicious/noExplicitAny: ids of whatever kind the collection has
  id: any,
  edit: (bytes: Buffer) => Buffer | undefined,
): Promise<void> {
  const [raw] = (await db.collection(collection).find({ _id: id }, { raw: true }).toArray()) as unknown as [
    Uint8Array,
  ];
  const bytes = Buffer.from(raw);
  await db.collection(collection).deleteOne({ _id: id });
  await insertRaw(db, collection, [edit(bytes) ?? bytes]);
}

/** Returns an edit that makes two bytes of a text invalid UTF-8 (RFC 3629). */
export function invalidUtf8(text: string): (bytes: Buffer) => undefined {
  return (bytes) => {
    const at = bytes.indexOf(text);
    if (at < 0) throw new Error(`there is no ${text} in the document`);
    bytes[at] = 0xff;
    bytes[at + 1] = 0xfe;
  };
}

/** Sends an insert command with these bytes as documents. */
async function insertRaw(db: Db, collection: string, documents: readonly Buffer[]): Promise<void> {
  const command = Buffer.from(
    BSON.serialize({ insert: collection, $db: db.databaseName, writeConcern: { w: 1 } }),
  );
  const body = Buffer.concat([Buffer.from([0]), command]);
  const name = Buffer.from("documents\0");
  const length = Buffer.alloc(4);
  length.writeInt32LE(documents.reduce((sum, one) => sum + one.length, 4 + name.length));
  const payload = Buffer.concat([Buffer.alloc(4), body, Buffer.from([1]), length, name, ...documents]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + payload.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(OP_MSG, 12);
  const reply = await exchange(db, Buffer.concat([header, payload]));
  const answer = BSON.deserialize(reply.subarray(HEADER_BYTES + 5));
  if (answer.ok !== 1 || answer.writeErrors) throw new Error(`refused: ${JSON.stringify(answer)}`);
}

async function exchange(db: Db, request: Buffer): Promise<Buffer> {
  const [address] = db.client.options.hosts;
  const { socketPath, host = "127.0.0.1", port = 27017 } = address ?? {};
  const socket = socketPath ? connect(socketPath) : connect(port, host);
  const parts: Buffer[] = [];
  try {
    socket.write(request);
    for await (const part of socket) {
      parts.push(part);
      const reply = Buffer.concat(parts);
      if (reply.length >= 4 && reply.length >= reply.readInt32LE(0)) return reply;
    }
    throw new Error("the store closed the connection");
  } finally {
    socket.destroy();
  }
}
