import type { Db } from "mongodb";
import { createAccountStore } from "./account-store.ts";
import { createContentStore } from "./content-store.ts";
import { createDomainKeyStore } from "./domain-key-store.ts";
import { createEventStore } from "./event-store.ts";
import { createFirstAccountStore } from "./first-account-store.ts";
import { createKeyStore } from "./key-store.ts";
import { createMemberStore } from "./member-store.ts";
import { createMessageStore } from "./message-store.ts";
import { createMtaStsStore } from "./mta-sts-store.ts";
import { createPartitionStore } from "./partition-store.ts";
import { createPolicyStore } from "./policy-store.ts";
import { createQuarantineStore } from "./quarantine-store.ts";
import { createQueueStore } from "./queue-store.ts";
import { createSandboxStore } from "./sandbox-store.ts";
import { createSchemaStore } from "./schema-store.ts";
import { createSecretRotation } from "./sealing/rotate-secrets.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { createSecretStore } from "./secret-store.ts";
import { createSenderStore } from "./sender-store.ts";
import { createSessionStore } from "./session-store.ts";
import { createSignInFailureStore } from "./sign-in-failure-store.ts";
import { createSuppressionStore } from "./suppression-store.ts";
import { createTemplateStore } from "./template-store.ts";
import { createUserStore } from "./user-store.ts";

export type Store = ReturnType<typeof createStore>;

/** The collections of one database; secrets in them are encrypted. */
export function createStore(db: Db, sealing: Sealing) {
  return {
    accounts: createAccountStore(db),
    users: createUserStore(db),
    members: createMemberStore(db),
    sessions: createSessionStore(db),
    signInFailures: createSignInFailureStore(db),
    firstAccount: createFirstAccountStore(db),
    keys: createKeyStore(db),
    senders: createSenderStore(db),
    domainKeys: createDomainKeyStore(db, sealing),
    policies: createPolicyStore(db, sealing),
    templates: createTemplateStore(db),
    contents: createContentStore(db),
    messages: createMessageStore(db),
    queue: createQueueStore(db),
    quarantine: createQuarantineStore(db),
    events: createEventStore(db),
    suppressions: createSuppressionStore(db),
    sandbox: createSandboxStore(db),
    partitions: createPartitionStore(db),
    schema: createSchemaStore(db),
    secrets: createSecretStore(db, sealing),
    secretRotation: createSecretRotation(db, sealing),
    mtaStsPolicies: createMtaStsStore(db),
  };
}
