import type { AccountDocument } from "../documents.ts";
import type { DeletedAccountDocument } from "../user-documents.ts";
import { byName, EXPIRES, ID_ONLY, type Manifest } from "./manifest.ts";

export interface AccountDocuments {
  readonly accounts: AccountDocument;
  readonly deletedAccounts: DeletedAccountDocument;
}

export const accountManifest = {
  accounts: {
    indexes: [ID_ONLY],
    deletion: "begin",
    export: { within: "account" },
    audited: {
      account: {
        _id: "ignore",
        name: "track",
        createdAt: "ignore",
        requiresSecondFactor: "track",
        references: "ignore",
      },
    },
    named: { account: byName },
  },
  deletedAccounts: {
    owner: "installation",
    indexes: [{ key: { finishedAt: 1, _id: 1 } }, EXPIRES],
    audited: {},
  },
} as const satisfies Manifest<AccountDocuments>;
