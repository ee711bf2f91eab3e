import { StartupError } from "../../shared/startup-error.ts";
import type { SchemaStore } from "../schema-store.ts";
import { isFull } from "../store-fault.ts";

export interface PresenceOptions {
  readonly store: Pick<SchemaStore, "announce" | "withdraw" | "read">;
  /** Name of this process. */
  readonly id: string;
  readonly roles: readonly string[];
  /** Release and newest schema version of this program. */
  readonly program: string;
  readonly schema: number;
}

/** Registers a process for other users of the database, and checks whether it may continue. */
export interface Presence {
  /**
   * Announces the process for a while, and checks whether its program may still run.
   * @throws StartupError with an explanation if it may not
   * @throws Fault store.unavailable
   */
  announce(): Promise<void>;
  withdraw(): Promise<void>;
}

export function createPresence({ store, id, roles, program, schema }: PresenceOptions): Presence {
  return {
    announce: async () => {
      // The announcement comes first: a migration that must run alone first sets the required version and then searches
      // for processes. A full disk prevents the announcement, but also any migration. Stored data stays readable, and
      // the next call announces again.
      await store.announce({ _id: id, schema, program, roles }).catch((error: unknown) => {
        if (!isFull(error)) throw error;
      });
      const note = await store.read();
      if (note?.oldest === undefined || note.oldest <= schema) return;
      await store.withdraw(id);
      throw new StartupError(
        `Hermod ${note.program} has migrated the database to schema version ${note.version}, with which this ` +
          `Hermod ${program} is incompatible (it supports versions up to ${schema}). Start Hermod ${note.program} instead.`,
      );
    },
    withdraw: () => store.withdraw(id),
  };
}
