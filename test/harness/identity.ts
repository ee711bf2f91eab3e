import { createAuthorize } from "../../src/core/access/authorize.ts";
import { accounts } from "../../src/core/accounts.ts";
import { members } from "../../src/core/members.ts";
import { sessions } from "../../src/core/sessions/sessions.ts";
import { users } from "../../src/core/users.ts";
import type { Behalf } from "../../src/rpc/behalf.ts";
import { type AreaClients, type CoreClient, createCoreClient } from "../../src/rpc/client.ts";
import { createCoreServer } from "../../src/rpc/server.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testSealing } from "./sealing.ts";
import { openTestStore } from "./test-store.ts";
import { createTestTime, type TestTime } from "./test-time.ts";

export const CLIENT: Behalf = { session: "", clientAddress: "192.0.2.1", clientAgent: "test" };

/** The areas of people and accounts, on a store of their own, in a time that the test lets pass. */
export interface Identity {
  readonly store: Store;
  readonly time: TestTime;
  readonly operator: CoreClient;
  /** As a front end calls for a client. */
  as(client: Partial<Behalf>): AreaClients;
  /** A user of the account who has replaced the first password; signed in. */
  signedIn(email: string, accountId: string, role?: string): Promise<{ token: string; password: string }>;
  close(): Promise<void>;
}

const DEADLINE_MS = 60_000;

export async function openIdentity(): Promise<Identity> {
  const opened = await openTestStore();
  const store = createStore(opened.db, testSealing);
  const time = createTestTime();
  const { clock } = time;
  const server = createCoreServer({
    host: "127.0.0.1",
    port: 0,
    tokens: { operator: "operator", front_end: "front end" },
    authorize: createAuthorize({ store, clock }),
    clock,
    log: createLogger("silent"),
  });
  for (const area of [accounts, users, members, sessions]) area.serve(server, { store, clock });
  const operator = createCoreClient(server.localCalls("operator", DEADLINE_MS));
  const frontEnd = createCoreClient(server.localCalls("front_end", DEADLINE_MS));
  const as = (client: Partial<Behalf>) => frontEnd.onBehalfOf({ ...CLIENT, ...client });

  return {
    store,
    time,
    operator,
    as,
    signedIn: async (email, accountId, role = "owner") => {
      const made = await operator.users.createUser({ email, accountId, role });
      const first = await as({}).sessions.signIn({ email, password: made.password });
      const password = `uncommon words of ${email}`;
      const change = { currentPassword: made.password, newPassword: password };
      const { token } = await as({ session: first.token }).sessions.changePassword(change);
      return { token, password };
    },
    close: () => opened.close(),
  };
}
