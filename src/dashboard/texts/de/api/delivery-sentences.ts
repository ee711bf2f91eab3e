import type { deliverySentences as english } from "../../../../../contracts/common/sentences/delivery-sentences.ts";

/** Results and decisions of deliveries, by code. */
export const deliverySentences: Readonly<Record<keyof typeof english, string>> = {
  "sandbox.captured": "Im Sandbox-Posteingang abgefangen",

  "message.cancelled": "Auf Anforderung storniert",
  "message.released": "Aus der Quarantäne freigegeben",
  "message.dropped": "Aus der Quarantäne verworfen: {detail}",
  "message.held": "Angehalten von {name}",
  "message.held_because": "Angehalten von {name}: {reason}",
  "message.held_by_operator": "Vom Betreiber angehalten",
  "message.held_by_operator_because": "Vom Betreiber angehalten: {reason}",

  "rule.names":
    "Regel {number} nennt {domain} und ist die erste passende Regel. Nur ihre Transporte werden verwendet.",
  "rule.names_below":
    "Regel {number} nennt jede Domain unterhalb von {domain} und ist die erste passende Regel. Nur ihre Transporte werden verwendet.",
  "rule.none":
    "Die Richtlinie hat keine Regeln. Ihre eigenen Transporte werden für alle Empfänger verwendet.",
  "rule.only_other":
    "Die einzige Regel der Richtlinie nennt {domain} nicht. Die eigenen Transporte der Richtlinie werden verwendet.",
  "rule.others":
    "Keine der {count} Regeln der Richtlinie nennt {domain}. Die eigenen Transporte der Richtlinie werden verwendet.",

  "suppression.listed":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für alle E-Mails des Kontos",
  "suppression.listed_detail":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für alle E-Mails des Kontos ({detail})",
  "suppression.listed_policy":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für E-Mails der Richtlinie {policy}",
  "suppression.listed_policy_detail":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für E-Mails der Richtlinie {policy} ({detail})",
  "suppression.stops":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für alle E-Mails des Kontos.",
  "suppression.stops_detail":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für alle E-Mails des Kontos ({detail}).",
  "suppression.stops_policy":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für E-Mails der Richtlinie {policy}.",
  "suppression.stops_policy_detail":
    "{whom:suppressed} steht auf der Sperrliste: {reason:suppression_reason}, seit {since}, für E-Mails der Richtlinie {policy} ({detail}).",
  "suppression.unreadable":
    "Der Eintrag {id} der Sperrliste ist nicht lesbar, und Hermod sendet keine E-Mails, die er verbieten könnte.",
  "suppression.none":
    "Der Empfänger steht nicht auf der Sperrliste, weder für alle E-Mails noch für diese Richtlinie.",
};
