import { mailedAddresses, type NotifySettings, namedSchedules } from "../../alerts/rule.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { decisiveEntry, scopesOf } from "../../routing/suppression.ts";
import { MAX_RULES } from "../../store/alert-rule-store.ts";
import type { AccountStore } from "../../store/store.ts";
import { possibleRecipients } from "../oncalls/present-recipients.ts";

/** Mail of alerts is subject to the suppression list of its account. */
const OPERATION = "alert.notice";

/** Maximum number of addresses in one query. */
const AT_ONCE = 1_000;

/**
 * Recipients of rules, also participants of their on-call schedules, that are on the suppression list and so receive
 * no alert mail. Each is listed once.
 */
export async function suppressedRecipients(
  account: Pick<AccountStore, "id" | "policies" | "suppressions" | "oncalls">,
  rules: readonly NotifySettings[],
  now: Date,
): Promise<string[]> {
  const standard = rules.some(({ policy }) => policy === undefined) ? await defaultName(account) : "";
  const onCall = await possibleRecipients(account, [...new Set(rules.flatMap(namedSchedules))]);
  const addressed = addressedBy(rules, onCall, standard).map((one) => ({
    ...one,
    accountId: account.id,
    operation: OPERATION,
  }));
  const suppressed = new Set<string>();
  for (let from = 0; from < addressed.length; from += AT_ONCE) {
    const some = addressed.slice(from, from + AT_ONCE);
    const { documents } = await account.suppressions.findAmong(some.flatMap(scopesOf), now);
    for (const one of some)
      if (decisiveEntry(documents.filter(isOf(one.recipient)), one)) suppressed.add(one.recipient);
  }
  return [...suppressed];
}

interface Addressed {
  readonly recipient: string;
  readonly policy: string;
}

/**
 * Addresses that rules can notify, each once with a policy: many rules name the same on-call schedules.
 * @param standard policy of rules without one
 */
function addressedBy(
  rules: readonly NotifySettings[],
  onCall: ReadonlyMap<string, readonly string[]>,
  standard: string,
): Addressed[] {
  const found = new Map<string, Addressed>();
  const add = (recipients: readonly string[], policy: string) => {
    for (const recipient of recipients) found.set(`${policy} ${recipient}`, { recipient, policy });
  };
  const schedules = new Map<string, { readonly name: string; readonly policy: string }>();
  for (const notify of rules) {
    const { policy = standard } = notify;
    add(mailedAddresses(notify), policy);
    for (const name of namedSchedules(notify)) schedules.set(`${policy} ${name}`, { name, policy });
  }
  for (const { name, policy } of schedules.values()) add(onCall.get(name) ?? [], policy);
  return [...found.values()];
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
  account: Pick<AccountStore, "policies" | "alertRules" | "oncalls">,
  suppressed: readonly SuppressedNames[],
): Promise<{ readonly alertRules: string[]; readonly alertRulesCount: number }> {
  const rules = await account.alertRules.list({ limit: MAX_RULES });
  const isByPolicy = suppressed.some(({ policy }) => policy !== undefined);
  const standard = isByPolicy ? await defaultName(account) : undefined;
  const schedules = rules.flatMap(({ settings: { notify } }) => (notify ? namedSchedules(notify) : []));
  const onCall = await possibleRecipients(account, [...new Set(schedules)]);
  const named = suppressed.map(({ keys, policy }) => ({ policy, ...createConcerns(new Set(keys), onCall) }));
  const names = rules.flatMap(({ name, settings: { enabled, notify } }) => {
    if (!enabled || !notify) return [];
    const isNamed = named.some(({ policy, concerns }) => {
      if (policy !== undefined && (notify.policy ?? standard) !== policy) return false;
      return concerns(notify);
    });
    return isNamed ? [name] : [];
  });
  return { alertRules: names.slice(0, MAX_LISTED_RULES), alertRulesCount: names.length };
}

/** Finds rules that can notify addresses, with one search of each on-call schedule for all rules. */
function createConcerns(keys: ReadonlySet<string>, onCall: ReadonlyMap<string, readonly string[]>) {
  const isAmong = (address: string) => {
    const key = addressKey(address);
    return keys.has(key) || keys.has(`@${domainOf(key)}`);
  };
  const schedules = new Set(
    [...onCall].flatMap(([name, addresses]) => (addresses.some(isAmong) ? [name] : [])),
  );
  return {
    concerns: (notify: NotifySettings) =>
      mailedAddresses(notify).some(isAmong) || namedSchedules(notify).some((name) => schedules.has(name)),
  };
}

async function defaultName({ policies }: Pick<AccountStore, "policies">): Promise<string> {
  return (await policies.findDefault())?.name ?? "";
}
