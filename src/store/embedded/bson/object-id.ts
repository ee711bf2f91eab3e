import { randomBytes } from "node:crypto";
import { ObjectIdValue } from "./values.ts";

/** Makes ObjectIds as MongoDB does: seconds, five random bytes of this process, a counter. */
export function createObjectIds(now: () => number): () => ObjectIdValue {
  const process = randomBytes(5);
  let counter = randomBytes(4).readUInt32BE() & 0xffffff;
  return () => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32BE(Math.floor(now() / 1000) >>> 0, 0);
    process.copy(bytes, 4);
    counter = (counter + 1) & 0xffffff;
    bytes.writeUIntBE(counter, 9, 3);
    return new ObjectIdValue(bytes);
  };
}
