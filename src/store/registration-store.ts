import type { Db } from "mongodb";
import type { RdapResult } from "../intel/expiry/rdap-result.ts";
import { guarded } from "./store-fault.ts";

export interface RegistrationDocument {
  readonly _id: string;
  readonly at: Date;
  readonly rdap: RdapResult;
  readonly expireAt: Date;
}

/** Registry data by registered name, for all domains below it. */
export function createRegistrationStore(db: Db) {
  const registrations = db.collection<RegistrationDocument>("registrations");

  return {
    /** Data since a time; undefined: none. */
    async find(name: string, since: Date): Promise<RdapResult | undefined> {
      const found = await guarded(registrations.findOne({ _id: name, at: { $gt: since } }));
      if (!found) return undefined;
      const { rdap } = found;
      // Missing values are null in the database.
      return rdap.kind === "registered" ? { ...rdap, expiresAt: rdap.expiresAt ?? undefined } : rdap;
    },

    async keep(name: string, rdap: RdapResult, at: Date, expireAt: Date): Promise<void> {
      const document = { _id: name, at, rdap, expireAt };
      await guarded(registrations.replaceOne({ _id: name }, document, { upsert: true }));
    },
  };
}
