import type { AuditEntryDocument } from "../../src/store/audit/entry-document.ts";

/** Values that differ between two runs. */
const CHANCE: readonly (readonly [RegExp, string])[] = [
  // Before the others: they also match parts of it.
  [/(?<=^passkey )[\w-]{43}/g, "<id>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>"],
  [/\b([a-z]{2,4})_[0-9A-Za-z-]{16,}/g, "$1_<id>"],
  [/\b[0-9a-z]{15}\b/g, "<selector>"],
  [/(?<![0-9A-Za-z])(n|Client |ref |hbt_)\d+\b/g, "$1<n>"],
];
const CHANCE_FIELDS: ReadonlySet<string> = new Set(["token", "prefix", "selector", "userId"]);

const steady = (text: string) => CHANCE.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);

function shownValue(field: string, value: string | undefined): string {
  if (value === undefined) return "-";
  return CHANCE_FIELDS.has(field) ? "<chance>" : value;
}

/** Audit entries as lines of text, without the values that differ between two runs. */
export function shownEntries(entries: readonly AuditEntryDocument[]): string[] {
  return entries.map(({ accountId, userId, actor, action, target, outcome, changes }) =>
    [
      action,
      outcome,
      accountId === "" ? "installation" : "account",
      ...(userId === undefined ? [] : [`user ${userId === target.id ? "is the target" : userId}`]),
      `by ${actor.kind} ${actor.name}`,
      `${target.kind} ${target.id} ${JSON.stringify(target.name)}`,
      ...changes.map(({ field, before, after, secret }) =>
        secret ? `${field} (secret)` : `${field} ${shownValue(field, before)} -> ${shownValue(field, after)}`,
      ),
    ]
      .map(steady)
      .join(" | "),
  );
}
