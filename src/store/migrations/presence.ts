import { StartupError } from "../../shared/startup-error.ts";
import type { SchemaStore } from "../schema-store.ts";
import { isFull } from "../store-fault.ts";

export interface PresenceOptions {
  readonly store: Pick<SchemaStore, "announce" | "withdraw" | "read">;
  /** Names this process. */
  readonly id: string;
  readonly roles: readonly string[];
  /** Release and newest schema of this program. */
  readonly program: string;
  readonly schema: number;
}

/** How a process shows itself to the others that have the database open, and learns whether it may go on. */
export interface Presence {
  /**
   * Announces the process for a while, and looks whether its program may still run.
   * @throws StartupError in words, when it may not
   * @throws Fault store.unavailable
   */
  announce(): Promise<void>;
  withdraw(): Promise<void>;
}

export function createPresence({ store, id, roles, program, schema }: PresenceOptions): Presence {
  return {
    announce: async () => {
      // The announcement comes first: a migration that is to run alone demands its version first and looks for processes then.
      // A full disk keeps no announcement, and lets no migration begin: what is stored can be read, and the next turn announces.
      await store.announce({ _id: id, schema, program, roles }).catch((error: unknown) => {
        if (!isFull(error)) throw error;
      });
      const note = await store.read();
      if (note?.oldest === undefined || note.oldest <= schema) return;
      await store.withdraw(id);
      throw new StartupError(
        `The database was migrated to version ${note.version} of its schema by Hermod ${note.program}, beside which this ` +
          `Hermod ${program} cannot go on (it knows versions up to ${schema}): start Hermod ${note.program} in its place.`,
      );
    },
    withdraw: () => store.withdraw(id),
  };
}
