import type { incidentSentences as english } from "../../../../../contracts/common/sentences/incident-sentences.ts";

/** Details in the history of an incident in German, by code. */
export const incidentSentences: Readonly<Record<keyof typeof english, string>> = {
  "incident.opened": "durch Regel {rule}, Version {version}",
  "incident.risen": "von {from:severity} auf {to:severity}",
  "incident.alert_risen": "{name:alert_name}: von {from:severity} auf {to:severity}",
  "incident.alert_new": "{name:alert_name}: ein neuer Alarm, {severity:severity}",
  "incident.ends_snooze": "(das beendet die Zurückstellung)",
  "incident.held": "{reason:hold}, nächste Prüfung um {at}",
  "incident.uncounted_one":
    "1 Alarm dieses Vorfalls kann noch aktiv sein: Markieren Sie den Vorfall als behoben, sobald er vorbei ist",
  "incident.uncounted":
    "{count} Alarme dieses Vorfalls können noch aktiv sein: Markieren Sie den Vorfall als behoben, sobald sie vorbei sind",
  "incident.snoozed": "{by}, bis {until}",
  "incident.snooze_over": "ihre Zeit ist abgelaufen",
  "incident.assigned": "an {member}, durch {by}",
  "incident.unassigned": "an niemanden, durch {by}",
  "incident.quiet": "kein erneuter Alarm innerhalb der Zeit, nach der er als behoben gilt",
  "incident.rule_removed": "die Regel wurde entfernt, Alarme können noch aktiv sein",

  "notice.first": "Erste Meldung.",
  "notice.new": "Neue Alarme.",
  "notice.severity": "Höherer Schweregrad.",
  "notice.repeat": "Wiederholung.",
  "notice.escalation": "Eskalation.",
  "notice.snooze_ended": "Ende der Zurückstellung.",
  "notice.reopened": "Wieder geöffnet.",
  "notice.resolved": "Der Vorfall ist behoben.",
  "notice.sent": "Gesendet an {receivers}.",
  "notice.sent_on_call": "Gesendet an {receivers}, in Bereitschaft nach {schedules:and}.",
  "notice.sent_target": "Gesendet an 1 Alarmziel.",
  "notice.sent_targets": "Gesendet an {count} Alarmziele.",
  "notice.deferred": "In der nächsten Sammelmeldung an {receivers}.",
  "notice.deferred_on_call":
    "In der nächsten Sammelmeldung an {receivers}, in Bereitschaft nach {schedules:and}.",
  "notice.deferred_target": "In der nächsten Sammelmeldung an 1 Alarmziel.",
  "notice.deferred_targets": "In der nächsten Sammelmeldung an {count} Alarmziele.",
  "notice.failed": "Meldung {number}: {detail}",
  "notice.not_accepted_once": "Meldung {number} an das Alarmziel {target} nach 1 Versuch:",
  "notice.not_accepted": "Meldung {number} an das Alarmziel {target} nach {attempts} Versuchen:",
  "notice.answer": "({detail})",
  "target.no_answer": "keine Antwort innerhalb von {seconds} Sekunden",
};
