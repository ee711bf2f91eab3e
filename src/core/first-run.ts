// The first account is created by the last step of a start, in one transaction: a failed start creates nothing, and of
// several processes one creates it.

import type { Clock } from "../shared/clock.ts";
import { newId } from "../shared/ids.ts";
import { hashSecret, newPassword, newSecret, randomWord, secretPrefix } from "../shared/secrets.ts";
import type { KeyDocument, KeyKind } from "../store/documents.ts";
import { FIRST_RUN_KEY_NAME, type FirstAccount } from "../store/first-account-store.ts";
import { memberId } from "../store/member-store.ts";
import type { AcrossAccounts, Store } from "../store/store.ts";
import { firstWorkspace } from "../store/workspace-store.ts";
import { hashPassword } from "./access/passwords.ts";
import { sandboxPolicy } from "./policies/sandbox-policy.ts";

/** Credentials that the first run creates and prints. */
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
  readonly store: Pick<Store, "acrossAccounts" | "firstAccount">;
  readonly clock: Clock;
  /** Credentials of first runs on this machine, including an interrupted one. */
  readonly kept: readonly FirstRun[];
}

/** Work of a start for the first account, decided before the ports are opened. */
export interface PreparedFirstRun {
  /** Unused credentials; undefined: the account's keys are in use, or stored elsewhere. */
  readonly expected: FirstRun | undefined;
  /** True: the credentials are invalid until `make` has resolved to true. */
  readonly isNew: boolean;
  /** Creates the first account completely; false: another process has created it since. */
  make(): Promise<boolean>;
  /** Records that the credentials of `make` were printed, so that they are no longer replaced. */
  markShown(): Promise<void>;
}

const SENDER = "hello@example.com";
const DASHBOARD_EMAIL = "admin@example.com";
/** An account's keys are printed moments after its creation: after this time, the creating process is gone. */
const ABANDONED_MS = 60_000;

/**
 * The account of an empty installation can send immediately: it has a verified sender, a key of each kind, a
 * dashboard user, the sandbox as the default policy, and a workspace for watched domains.
 */
export async function prepareFirstRun(options: FirstRunOptions): Promise<PreparedFirstRun> {
  const { store, clock, kept } = options;
  const now = clock.now();
  const abandonedBefore = new Date(now.getTime() - ABANDONED_MS);
  const unused = await findUnused(store.acrossAccounts, kept);
  const isNew = !unused && (await store.firstAccount.isWanted(abandonedBefore));
  const fresh = newFirstRun();

  return {
    expected: isNew ? fresh : unused,
    isNew,
    make: async () => {
      const passwordHash = await hashPassword(fresh.dashboardPassword);
      const build = (accountId = newId("acc", now), workspaceId = newId("ws", now)) =>
        firstAccount(fresh, passwordHash, now, { accountId, workspaceId });
      return store.firstAccount.make({ build, abandonedBefore });
    },
    markShown: () => store.firstAccount.markShown(now, clock.now()),
  };
}

function newFirstRun(): FirstRun {
  return {
    apiKey: newSecret("live"),
    deliverabilityApiKey: newSecret("dlv"),
    smtpUsername: newSecret("smtp"),
    smtpPassword: newPassword(),
    sender: SENDER,
    dashboardEmail: DASHBOARD_EMAIL,
    dashboardPassword: randomWord(12),
  };
}

/** Credentials with keys that are all stored, unused and not revoked. */
async function findUnused(
  { keys }: Pick<AcrossAccounts, "keys">,
  kept: readonly FirstRun[],
): Promise<FirstRun | undefined> {
  for (const one of kept) {
    const secrets = [one.apiKey, one.deliverabilityApiKey, one.smtpUsername];
    const found = await Promise.all(secrets.map((secret) => keys.findByHash(hashSecret(secret))));
    if (found.every((key) => key && !key.lastUsedAt && !key.revokedAt)) return one;
  }
  return undefined;
}

function firstAccount(
  firstRun: FirstRun,
  passwordHash: string,
  now: Date,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
): FirstAccount {
  const key = (kind: KeyKind, secret: string): KeyDocument => ({
    _id: newId("key", now),
    accountId,
    name: FIRST_RUN_KEY_NAME,
    kind,
    prefix: secretPrefix(secret),
    hash: hashSecret(secret),
    scopeMode: "full",
    scopes: [],
    senders: [],
    allowedAddresses: [],
    createdAt: now,
  });
  const userId = newId("usr", now);
  const policy = sandboxPolicy(now);
  return {
    account: { _id: accountId, name: "first account", createdAt: now },
    user: {
      _id: userId,
      email: firstRun.dashboardEmail,
      passwordHash,
      mustChangePassword: true,
      createdAt: now,
    },
    member: { _id: memberId(accountId, userId), accountId, userId, role: "owner", createdAt: now },
    keys: [
      key("account", firstRun.apiKey),
      { ...key("deliverability", firstRun.deliverabilityApiKey), workspaceId },
      { ...key("smtp", firstRun.smtpUsername), passwordHash: hashSecret(firstRun.smtpPassword) },
    ],
    sender: { _id: newId("snd", now), accountId, kind: "address", value: firstRun.sender, verifiedAt: now },
    workspace: firstWorkspace(accountId, workspaceId, now),
    policy: { ...policy, _id: `${accountId}.${policy.name}`, accountId },
  };
}
