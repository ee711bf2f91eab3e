/** Results and decisions of deliveries, by code. */
export const deliverySentences = {
  "sandbox.captured": "captured in the sandbox inbox",

  "message.cancelled": "cancelled on request",
  "message.released": "released from quarantine",
  "message.dropped": "dropped from quarantine: {detail}",
  "message.held": "Held by {name}",
  "message.held_because": "Held by {name}: {reason}",
  "message.held_by_operator": "Held by the operator",
  "message.held_by_operator_because": "Held by the operator: {reason}",

  "rule.names":
    "Rule {number} names {domain} and is the first rule that matches. Only its transports are used.",
  "rule.names_below":
    "Rule {number} names every domain below {domain} and is the first rule that matches. Only its transports are used.",
  "rule.none": "The policy has no rules. Its own transports are used for every recipient.",
  "rule.only_other":
    "The only rule of the policy does not name {domain}. The policy's own transports are used.",
  "rule.others":
    "None of the {count} rules of the policy names {domain}. The policy's own transports are used.",

  "suppression.listed":
    "{whom:suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for all mail of the account",
  "suppression.listed_detail":
    "{whom:suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for all mail of the account ({detail})",
  "suppression.listed_policy":
    "{whom:suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for mail of the policy {policy}",
  "suppression.listed_policy_detail":
    "{whom:suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for mail of the policy {policy} ({detail})",
  "suppression.stops":
    "{whom:Suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for all mail of the account.",
  "suppression.stops_detail":
    "{whom:Suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for all mail of the account ({detail}).",
  "suppression.stops_policy":
    "{whom:Suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for mail of the policy {policy}.",
  "suppression.stops_policy_detail":
    "{whom:Suppressed} is on the suppression list: {reason:suppression_reason}, since {since}, for mail of the policy {policy} ({detail}).",
  "suppression.unreadable":
    "The suppression entry {id} cannot be read, and Hermod sends no mail that it may forbid.",
  "suppression.none": "The recipient is not on the suppression list, for all mail or for this policy.",
} as const;
