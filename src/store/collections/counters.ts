import type { CounterDocument } from "../counters/counter-documents.ts";
import type { SendingDayDocument } from "../counters/sending-days.ts";
import { EXPIRES, type Manifest } from "./manifest.ts";

export interface CounterDocuments {
  readonly counters: CounterDocument;
  readonly sendingDays: SendingDayDocument;
}

export const counterManifest = {
  counters: {
    indexes: [
      { key: { accountId: 1, step: 1, at: 1 } },
      // Finds the first day with mail of a kind within two years.
      ...(["captured", "delivered"] as const).map((kind) => ({
        key: { accountId: 1, step: 1, at: 1 },
        name: `first_${kind}`,
        partialFilterExpression: { step: "day", [`total.v.${kind}`]: { $exists: true } },
      })),
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["at"], fixed: { step: "day" } },
    audited: {},
  },
  sendingDays: {
    indexes: [
      { key: { accountId: 1, domain: 1, day: 1 } },
      { key: { accountId: 1, day: 1 } },
      { key: { accountId: 1, _id: 1 } },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {},
  },
} as const satisfies Manifest<CounterDocuments>;
