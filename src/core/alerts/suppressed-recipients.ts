import { mailedAddresses, type NotifySettings } from "../../alerts/rule.ts";
import { addressKey, domainOf } from "../../message/address/addresses.ts";
import { decisiveEntry, scopesOf } from "../../routing/suppression.ts";
import { MAX_RULES } from "../../store/alert-rule-store.ts";
import type { AccountStore } from "../../store/store.ts";

/** Mail of alerts is subject to the suppression list of its account. */
const OPERATION = "alert.notice";

/** Maximum number of addresses in one query. */
const AT_ONCE = 1_000;

/** Recipients of rules that are on the suppression list and so receive no alert mail. Each is listed once. */
export async function suppressedRecipients(
  account: Pick<AccountStore, "id" | "policies" | "suppressions">,
  rules: readonly NotifySettings[],
  now: Date,
): Promise<string[]> {
  const standard = rules.some(({ policy }) => policy === undefined) ? await defaultName(account) : "";
  const addressed = rules.flatMap((notify) =>
    mailedAddresses(notify).map((recipient) => ({
      accountId: account.id,
      operation: OPERATION,
      recipient,
      policy: notify.policy ?? standard,
    })),
  );
  const suppressed = new Set<string>();
  for (let from = 0; from < addressed.length; from += AT_ONCE) {
    const some = addressed.slice(from, from + AT_ONCE);
    const { documents } = await account.suppressions.findAmong(some.flatMap(scopesOf), now);
    for (const one of some)
      if (decisiveEntry(documents.filter(isOf(one.recipient)), one)) suppressed.add(one.recipient);
  }
  return [...suppressed];
}

/** Whether an entry matches an address or its domain. */
const isOf = (recipient: string) => {
  const key = addressKey(recipient);
  const keys = [key, `@${domainOf(key)}`];
  return (entry: { readonly addressKey: string }) => keys.includes(entry.addressKey);
};

/** Entries that are added to the suppression list. */
export interface SuppressedNames {
  /** Comparison keys of addresses, or domains in the form `@example.com`. */
  readonly keys: readonly string[];
  /** Missing: all mail of the account. */
  readonly policy?: string | undefined;
}

const MAX_LISTED_RULES = 10;

/** Enabled alert rules that send mail to a newly suppressed address: the first names, and the number of all. */
export async function concernedRules(
  account: Pick<AccountStore, "policies" | "alertRules">,
  suppressed: readonly SuppressedNames[],
): Promise<{ readonly alertRules: string[]; readonly alertRulesCount: number }> {
  const rules = await account.alertRules.list({ limit: MAX_RULES });
  const isByPolicy = suppressed.some(({ policy }) => policy !== undefined);
  const standard = isByPolicy ? await defaultName(account) : undefined;
  const named = suppressed.map(({ keys, policy }) => ({ keys: new Set(keys), policy }));
  const names = rules.flatMap(({ name, settings: { enabled, notify } }) => {
    if (!enabled || !notify) return [];
    const mailed = mailedAddresses(notify).map(addressKey);
    const isNamed = named.some(({ keys, policy }) => {
      if (policy !== undefined && (notify.policy ?? standard) !== policy) return false;
      return mailed.some((key) => keys.has(key) || keys.has(`@${domainOf(key)}`));
    });
    return isNamed ? [name] : [];
  });
  return { alertRules: names.slice(0, MAX_LISTED_RULES), alertRulesCount: names.length };
}

async function defaultName({ policies }: Pick<AccountStore, "policies">): Promise<string> {
  return (await policies.findDefault())?.name ?? "";
}
