import type { UserDocument } from "../documents.ts";
import { createUserStore } from "../user-store.ts";
import type { Migration } from "./migration.ts";

/** Makes each user of an early release the owner of the account that he was of; who signs in before is made so then. */
export const membersMigration: Migration = {
  version: 3,
  name: "users become members of accounts",
  background: true,
  run: async ({ db }) => {
    const users = createUserStore(db);
    // First runs made them: there are few.
    for await (const user of db.collection<UserDocument>("users").find({})) await users.settleFormer(user);
  },
};
