import { createPrivateKey } from "node:crypto";
import { standingOf } from "../../domains/domain-status.ts";
import { returnPathDomain, trackingHostOf } from "../../domains/wanted-records.ts";
import type { DkimSigner } from "../../message/dkim/sign.ts";
import { type CompiledTemplate, compileTemplate } from "../../message/template/template.ts";
import { createCached } from "../../shared/cached.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { SYSTEM_ACCOUNT } from "../../shared/system-account.ts";
import type { DomainKeyDocument } from "../../store/documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { Store } from "../../store/store.ts";
import { CAPTURE_POLICY } from "../policies/sandbox-policy.ts";

export interface StoredTemplate {
  readonly name: string;
  readonly version: number;
  readonly compiled: CompiledTemplate;
}

/** Settings of accounts for sending, cached for a few seconds. */
export interface AccountSettings {
  /**
   * The policy with this name; undefined: the default policy. The system account without a policy captures its mail.
   */
  policy(accountId: string, name: string | undefined): Promise<PolicyDocument | undefined>;
  /** The policy of an accepted message, even if it was deleted since. */
  policyOfMessage(accountId: string, name: string): Promise<PolicyDocument | undefined>;
  template(accountId: string, name: string): Promise<StoredTemplate | undefined>;
  /**
   * Whether mail may be sent from one of the values (an address key or its domain): the operator vouches for it, its
   * mailbox has confirmed it, or the DNS proof of its domain permits it.
   */
  isSender(accountId: string, values: readonly string[]): Promise<boolean>;
  /**
   * The DKIM keys that sign for a domain; empty: its mail is not signed. For a domain that the system account does
   * not have, it signs with the keys of the first account.
   */
  signers(accountId: string, domain: string): Promise<readonly DkimSigner[]>;
  /** Domain of the return paths for mail from a domain; undefined: that of the installation. */
  returnPathDomain(accountId: string, domain: string, bounceDomain: string): Promise<string | undefined>;
  /** Host of tracked links in mail from a domain; undefined: that of the installation. */
  trackingHost(accountId: string, domain: string, trackingHost: string): Promise<string | undefined>;
  /** Clears the cache after a change. */
  forget(): void;
}

export interface AccountSettingsOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
  readonly cacheMs: number;
}

interface DomainKey extends DomainKeyDocument {
  readonly signer: DkimSigner;
}

const MAX_ENTRIES = 10_000;

export function createAccountSettings({ store, clock, cacheMs }: AccountSettingsOptions): AccountSettings {
  const options = { ttlMs: cacheMs, maxEntries: MAX_ENTRIES };
  const policies = createCached({
    ...options,
    load: async (cacheKey) => {
      const [accountId, name] = parts(cacheKey);
      const stored = store.forAccount(accountId).policies;
      const found = await (name === undefined ? stored.findDefault() : stored.findOfMessage(name));
      if (found || accountId !== SYSTEM_ACCOUNT) return found;
      // The named policy does not exist, or there is no default.
      return (name === undefined ? null : await stored.findDefault()) ?? CAPTURE_POLICY;
    },
  });
  const templates = createCached<StoredTemplate>({
    ...options,
    load: async (cacheKey) => {
      const [accountId, name = ""] = parts(cacheKey);
      const document = await store.forAccount(accountId).templates.findPublished(name);
      if (!document) return undefined;
      const compiled = compileTemplate(document.definition);
      if (!compiled.ok)
        throw fault("internal.error", { internal: `stored template ${document._id} does not compile` });
      return { name, version: document.version, compiled: compiled.template };
    },
  });
  const senders = createCached<object>({
    ...options,
    load: async (cacheKey) => {
      const [accountId, ...values] = parts(cacheKey);
      const { senders, domains } = store.forAccount(accountId);
      if (await senders.hasAny(values)) return {};
      for (const name of values.filter((value) => !value.includes("@"))) {
        const domain = await domains.find(name);
        if (!domain) continue;
        const keys = (await domainKeys.get(cacheKeyOf(accountId, [name]))) ?? [];
        if (standingOf(domain, keys, clock.now()).maySend) return {};
      }
      return undefined;
    },
  });

  const domainKeys = createCached<readonly DomainKey[]>({
    ...options,
    load: async (cacheKey) => {
      const [accountId, domain = ""] = parts(cacheKey);
      const own = await store.forAccount(accountId).domainKeys.list(domain);
      const keys = own.length > 0 || accountId !== SYSTEM_ACCOUNT ? own : await firstAccountsKeys(domain);
      return keys.map((key) => ({
        ...key,
        signer: { ...key, privateKey: createPrivateKey(key.privateKey) },
      }));
    },
  });

  async function firstAccountsKeys(domain: string): Promise<readonly DomainKeyDocument[]> {
    const first = await store.accounts.first();
    return first ? store.forAccount(first._id).domainKeys.list(domain) : [];
  }

  // Missing records are cached, too, because each message asks for them.
  const returnPathDomains = createCached<{ readonly name: string | undefined }>({
    ...options,
    load: async (cacheKey) => {
      const [accountId, name = "", bounceDomain = ""] = parts(cacheKey);
      const domain = await store.forAccount(accountId).domains.find(name);
      return { name: domain ? returnPathDomain(domain, bounceDomain) : undefined };
    },
  });

  const trackingHosts = createCached<{ readonly name: string | undefined }>({
    ...options,
    load: async (cacheKey) => {
      const [accountId, name = "", trackingHost = ""] = parts(cacheKey);
      const domain = await store.forAccount(accountId).domains.find(name);
      return { name: domain ? trackingHostOf(domain, trackingHost) : undefined };
    },
  });

  return {
    trackingHost: async (accountId, domain, trackingHost) =>
      (await trackingHosts.get(cacheKeyOf(accountId, [domain, trackingHost])))?.name,
    returnPathDomain: async (accountId, domain, bounceDomain) =>
      (await returnPathDomains.get(cacheKeyOf(accountId, [domain, bounceDomain])))?.name,
    signers: async (accountId, domain) => {
      const keys = (await domainKeys.get(cacheKeyOf(accountId, [domain]))) ?? [];
      const since = signingSince(keys, clock.now());
      return keys.filter(({ signsFrom }) => signsFrom.getTime() === since).map(({ signer }) => signer);
    },
    policy: async (accountId, name) => {
      if (name !== undefined && !isResourceName(name)) return undefined;
      const policy = await policies.get(cacheKeyOf(accountId, name === undefined ? [] : [name]));
      return policy?.retiredAt === undefined ? policy : undefined;
    },
    policyOfMessage: async (accountId, name) =>
      isResourceName(name) ? policies.get(cacheKeyOf(accountId, [name])) : undefined,
    template: async (accountId, name) =>
      isResourceName(name) ? templates.get(cacheKeyOf(accountId, [name])) : undefined,
    isSender: async (accountId, values) => (await senders.get(cacheKeyOf(accountId, values))) !== undefined,
    forget: () => {
      policies.clear();
      templates.clear();
      senders.clear();
      domainKeys.clear();
      returnPathDomains.clear();
      trackingHosts.clear();
    },
  };
}

function cacheKeyOf(accountId: string, rest: readonly string[]): string {
  return JSON.stringify([accountId, ...rest]);
}

function parts(cacheKey: string): [string, ...string[]] {
  return JSON.parse(cacheKey);
}

/** Time since which the present keys sign; undefined: none signs yet. */
export function signingSince(keys: readonly DomainKeyDocument[], now: Date): number | undefined {
  const begun = keys.map(({ signsFrom }) => signsFrom.getTime()).filter((at) => at <= now.getTime());
  return begun.length === 0 ? undefined : Math.max(...begun);
}
