import type { Clock } from "../shared/clock.ts";
import { newId } from "../shared/ids.ts";
import { hashSecret, newPassword, newSecret, randomWord, secretPrefix } from "../shared/secrets.ts";
import type { KeyDocument, KeyKind } from "../store/documents.ts";
import type { Store } from "../store/store.ts";

/** What the first run makes and shows once. */
export interface FirstRun {
  readonly apiKey: string;
  readonly deliverabilityApiKey: string;
  readonly smtpUsername: string;
  readonly smtpPassword: string;
  readonly sender: string;
  readonly dashboardEmail: string;
  readonly dashboardPassword: string;
}

export interface FirstRunOptions {
  readonly store: Pick<Store, "accounts" | "keys" | "senders" | "policies">;
  readonly clock: Clock;
  /** Keeps the secrets where their owner finds them, before anything is made that needs them. */
  readonly save: (secrets: FirstRun) => Promise<void>;
}

const SENDER = "hello@example.com";
const DASHBOARD_EMAIL = "admin@example.com";
const SANDBOX_POLICY = "sandbox";

/**
 * Makes an account that can send at once: a verified sender, a key of each kind, a dashboard user, and the sandbox
 * as default policy. Does nothing when there is an account already. The account comes last: a crash before it leaves
 * keys that open nothing, and the next start begins anew.
 * @returns undefined when there was nothing to do
 */
export async function firstRun({ store, clock, save }: FirstRunOptions): Promise<FirstRun | undefined> {
  if (!(await store.accounts.isEmpty())) return undefined;
  const now = clock.now();
  const accountId = newId("acc", now);
  const secrets: FirstRun = {
    apiKey: newSecret("live"),
    deliverabilityApiKey: newSecret("dlv"),
    smtpUsername: newSecret("smtp"),
    smtpPassword: newPassword(),
    sender: SENDER,
    dashboardEmail: DASHBOARD_EMAIL,
    dashboardPassword: randomWord(12),
  };
  await save(secrets);
  const key = (kind: KeyKind, secret: string): KeyDocument => ({
    _id: newId("key", now),
    accountId,
    name: "first run",
    kind,
    prefix: secretPrefix(secret),
    hash: hashSecret(secret),
    scopeMode: "full",
    scopes: [],
    senders: [],
    allowedAddresses: [],
    createdAt: now,
  });
  await store.keys.insert(key("account", secrets.apiKey));
  await store.keys.insert(key("deliverability", secrets.deliverabilityApiKey));
  await store.keys.insert({
    ...key("smtp", secrets.smtpUsername),
    passwordHash: hashSecret(secrets.smtpPassword),
  });
  await store.senders.add({
    _id: newId("snd", now),
    accountId,
    kind: "address",
    value: SENDER,
    verifiedAt: now,
  });
  await store.policies.put({
    _id: `${accountId}.${SANDBOX_POLICY}`,
    accountId,
    name: SANDBOX_POLICY,
    default: true,
    transports: [{ kind: "sandbox" }],
    updatedAt: now,
  });
  // Needed once in the life of an installation: not worth its memory in every process.
  const { hash } = await import("@node-rs/argon2");
  const passwordHash = await hash(secrets.dashboardPassword);
  await store.accounts.insert(
    { _id: accountId, name: "first account", createdAt: now },
    { _id: newId("usr", now), accountId, email: DASHBOARD_EMAIL, passwordHash, createdAt: now },
  );
  return secrets;
}
