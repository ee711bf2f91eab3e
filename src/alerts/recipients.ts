import { addressKey } from "../message/address/address-key.ts";
import type { Incident, NoticeReason } from "./incident.ts";
import type { NotifySettings } from "./rule.ts";

/** Returns the addresses that an on-call schedule of a rule notifies at the time of a notice. At least one. */
export type OnCallOf = (rule: Pick<Incident, "ruleId">, schedule: string) => readonly string[];

/** A recipient of a notice. */
export interface Addressee {
  readonly recipient: string;
  /** On-call schedules that name the recipient. Empty: the rule names the address. */
  readonly schedules: readonly string[];
}

/**
 * Recipients of a notice: those in the rule, those that were notified of the incident before, and those on call now.
 * After the end of a shift, only the resolution is notified to its participant.
 */
export function addresseesOf(
  incident: Incident,
  notify: NotifySettings,
  reason: NoticeReason,
  onCallOf: OnCallOf,
): Addressee[] {
  const before = incident.threads.map(({ recipient, onCall = [] }) => ({ recipient, schedules: onCall }));
  if (reason === "resolved") return before;
  const named = (recipients: readonly string[]) =>
    recipients.map((recipient) => ({ recipient, schedules: [] }));
  const onCall = (schedules: readonly string[]) =>
    schedules.flatMap((schedule) =>
      onCallOf(incident, schedule).map((recipient) => ({ recipient, schedules: [schedule] })),
    );
  if (reason === "escalation") {
    const step = notify.escalation.steps[incident.escalation?.step ?? -1];
    return eachOnce([...named(step?.recipients ?? []), ...onCall(step?.onCall ?? [])]);
  }
  return eachOnce([
    ...named(notify.recipients),
    ...before.filter(({ schedules }) => schedules.length === 0),
    ...onCall([...new Set([...(notify.onCall ?? []), ...notifiedSchedules(incident)])]),
  ]);
}

/** On-call schedules that were notified of an incident, also by its escalation. */
export function notifiedSchedules({ threads }: Pick<Incident, "threads">): string[] {
  return [...new Set(threads.flatMap(({ onCall = [] }) => onCall))];
}

function eachOnce(addressees: readonly Addressee[]): Addressee[] {
  const found = new Map<string, Addressee>();
  for (const { recipient, schedules } of addressees) {
    const key = addressKey(recipient);
    const known = found.get(key);
    const isNamed = schedules.length === 0 || known?.schedules.length === 0;
    found.set(key, {
      recipient: known?.recipient ?? recipient,
      schedules: isNamed ? [] : [...new Set([...(known?.schedules ?? []), ...schedules])],
    });
  }
  return [...found.values()];
}
