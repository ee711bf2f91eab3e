import { existsSync, readFileSync } from "node:fs";

/**
 * @typedef {object} Verification
 * @property {number} acknowledged answers with 202
 * @property {number} stored messages in the store
 * @property {number} missing acknowledged message ids that the store does not have
 * @property {number} bodies
 * @property {number} captured messages that the store says are in the sandbox
 * @property {boolean} durable each acknowledged message is there with its body, and no other is
 */

/**
 * Compares what was acknowledged with what the store has after Hermod was killed.
 * @param {import("./hermod.js").Hermod} hermod
 * @param {string} idsFile the acknowledged message ids, a line each
 * @returns {Promise<Verification>}
 */
export async function verifyDurability(hermod, idsFile) {
  const acknowledged = existsSync(idsFile) ? readFileSync(idsFile, "latin1").trimEnd().split("\n") : [];
  await hermod.kill();
  return hermod.readStore(async (db) => {
    /** @type {Set<string>} */
    const stored = new Set();
    let captured = 0;
    const messages = db
      .collection("messages")
      .find({}, { projection: { _id: 1, state: 1 }, batchSize: 5000 });
    for await (const { _id, state } of messages) {
      stored.add(String(_id));
      if (state === "captured") captured++;
    }
    const missing = acknowledged.filter((id) => !stored.has(id)).length;
    const bodies = await db.collection("contents").estimatedDocumentCount();
    const durable = missing === 0 && stored.size === acknowledged.length && bodies === stored.size;
    return { acknowledged: acknowledged.length, stored: stored.size, missing, bodies, captured, durable };
  });
}
