import type { Db } from "mongodb";
import type { MemberDocument, UserDocument } from "../documents.ts";
import { memberId } from "../member-store.ts";
import type { Migration } from "./migration.ts";

const USERS = "users";

/** Makes each user of an early release the owner of the user's account. A user who signs in earlier is migrated then. */
export const membersMigration: Migration = {
  version: 3,
  name: "users become members of accounts",
  background: true,
  run: async ({ db }) => {
    // First runs created them, so they are few.
    for await (const user of db.collection<UserDocument>(USERS).find({})) await settleFormer(db, user);
  },
};

/** Migrates one user. Idempotent. */
export async function settleFormer(
  db: Db,
  { _id: userId, accountId, createdAt }: UserDocument,
): Promise<void> {
  if (accountId === undefined) return;
  const member = { accountId, userId, role: "owner", createdAt } as const;
  const _id = memberId(accountId, userId);
  await db
    .collection<MemberDocument>("members")
    .updateOne({ _id }, { $setOnInsert: member }, { upsert: true });
  await db.collection<UserDocument>(USERS).updateOne({ _id: userId }, { $unset: { accountId: "" } });
}
