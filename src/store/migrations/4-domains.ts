import { hash } from "node:crypto";
import type { DomainKeyDocument } from "../documents.ts";
import type { DomainDocument } from "../domain-document.ts";
import { domainId, newDomain } from "../domain-store.ts";
import type { Migration } from "./migration.ts";

const DAY_MS = 86_400_000;
const BATCH = 500;

/** Creates documents for domains for which an early release stored only keys. They are checked within a day. */
export const domainsMigration: Migration = {
  version: 4,
  name: "domains get a status",
  background: true,
  alone: true,
  run: async ({ db, progress }) => {
    const keys = db.collection<Pick<DomainKeyDocument, "_id" | "accountId" | "domain">>("domainKeys");
    const domains = db.collection<DomainDocument>("domains");
    let { cursor, done } = progress;
    for (;;) {
      const behind = typeof cursor === "string" ? { _id: { $gt: cursor } } : {};
      const batch = await keys
        .find(behind, { projection: { accountId: 1, domain: 1 } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      if (batch.length === 0) return;
      const named = new Map(
        batch.map(({ accountId, domain }) => [`${accountId}.${domain}`, { accountId, domain }]),
      );
      const now = new Date();
      for (const { accountId, domain } of named.values()) {
        const fresh = newDomain(domain, now, within(DAY_MS, accountId, domain, now));
        const $setOnInsert = { accountId, ...fresh };
        await domains.updateOne({ _id: domainId(accountId, domain) }, { $setOnInsert }, { upsert: true });
      }
      cursor = batch.at(-1)?._id;
      done += batch.length;
      await progress.save({ cursor, done });
    }
  },
};

/** A time that is constant for a domain, however often the migration starts. */
function within(spanMs: number, accountId: string, domain: string, now: Date): Date {
  const share = Number.parseInt(hash("sha256", `${accountId} ${domain}`).slice(0, 8), 16) / 0x1_0000_0000;
  return new Date(now.getTime() + share * spanMs);
}
