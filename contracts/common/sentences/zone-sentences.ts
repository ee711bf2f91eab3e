/** Results of the checks of the zone, its registration and blacklists, by code. */
export const zoneSentences = {
  "caa.expected": "CAA records, if any, allow an authority to issue certificates for the mail servers.",
  "caa.no_host": "No host needs a certificate.",
  "caa.correct":
    "Correct the CAA records, and add the authority that issues the certificates of these hosts.",
  "caa.host_unknown": "It is unknown whether the host {name} exists: {reason:lookup_failure}.",
  "caa.from": "{host} (CAA of {name}):",
  "caa.many_labels": "the name has more than {count} labels.",
  "caa.lookup_failed": "the CAA lookup failed: {reason:lookup_failure}.",
  "caa.unrestricted": "no CAA record restricts certificate authorities.",
  "caa.none_may": "No authority may issue the required certificate.",
  "caa.only": "only {issuers} may issue.",
  "caa.any": "any authority may issue.",
  "caa.bad_tag": "A record has an unreadable tag: {tag}.",
  "caa.critical": "{tag} is critical, so authorities that do not know it must not issue.",
  "caa.bad_issuer": "{tag} {value} does not name a valid authority.",
  "caa.bad_report_address": "iodef {value} is not a valid report address.",

  "dnssec.expected": "The domain's zone is signed, and validating resolvers accept its answers.",
  "dnssec.no_validator":
    "It is unknown whether the zone is signed: none of the queried DNS servers ({servers}) validates DNSSEC.",
  "dnssec.lookup_failed": "The lookup of the zone failed: {reason:lookup_failure}.",
  "dnssec.no_domain": "The domain does not exist.",
  "dnssec.valid": "The zone is signed with valid signatures.",
  "dnssec.bogus":
    "The DNSSEC signatures for {domain} are invalid: a validating server returns SERVFAIL, but answers without validation. Validating servers cannot send to the domain or check its mail.",
  "dnssec.bogus_because":
    "The DNSSEC signatures for {domain} are invalid: a validating server returns SERVFAIL ({reason:lookup_failure}), but answers without validation. Validating servers cannot send to the domain or check its mail.",
  "dnssec.sign_again": "Have the zone signed again, and compare the DS record at the registrar with its key.",
  "dnssec.expired": "Have the zone signed again. A signature has expired.",
  "dnssec.not_yet": "Check the clock of the server that signs the zone. A signature is not valid yet.",
  "dnssec.other_key": "Replace the DS record at the registrar. The zone has no matching key.",
  "dnssec.unsigned_records": "Have the whole zone signed again. Signatures are missing.",
  "dnssec.no_nsec": "Have the whole zone signed again. Its NSEC records are missing.",
  "dnssec.iterations": "Set the NSEC3 iterations of the zone to 0 (RFC 9276 section 3.1).",
  "dnssec.remove_ds":
    "If that takes time, have the DS record removed at the registrar. An unsigned zone loses no mail.",
  "dnssec.algorithm":
    "There is a DS record, but the validating server ignores it because it does not support the algorithms.",
  "dnssec.other_algorithm":
    "Sign the zone with a widely supported algorithm, such as ECDSA P-256 (13), and replace the DS record.",
  "dnssec.no_ds":
    "The zone is signed, but the parent zone has no DS record for it, so resolvers cannot verify the signatures.",
  "dnssec.publish_ds": "Have the DS record of the zone's key published at the registrar.",
  "dnssec.unsigned":
    "The domain has no DNSSEC signatures. DNSSEC is optional, but unsigned answers can be forged, and DANE requires DNSSEC.",
  "dnssec.sign": "Have the DNS provider sign the zone, then have its DS record published at the registrar.",

  "expiry.expected": "The domain is registered for at least another {count} days.",
  "expiry.failed": "The registry query failed: {reason:lookup_failure}.",
  "expiry.no_registry": "No registry can be queried about {domain}: {reason:lookup_failure}.",
  "expiry.not_found":
    "The registry's server {server} does not know {domain} (HTTP 404). The domain is not registered, or the server has no data about it.",
  "expiry.renew": "Renew {domain} at its registrar, and enable automatic renewal.",
  "expiry.ending": "{domain} was not renewed and will be deleted ({states}).",
  "expiry.restore": "Have the registrar restore {domain} immediately.",
  "expiry.no_end": "The registry does not state when the registration of {domain} ends.",
  "expiry.ended": "The registration of {domain} ended on {day}.",
  "expiry.hours": "{domain} is registered until {day}, for another few hours.",
  "expiry.day": "{domain} is registered until {day}, for another 1 day.",
  "expiry.days": "{domain} is registered until {day}, for another {count} days.",

  "list.expected": "{list} lists neither the domain nor a sending address of it.",
  "list.not_queried": "Hermod does not query {list}: {reason:list_failure}.",
  "list.no_domain":
    "Hermod does not query {list}: the domain is a public suffix or not a name that the list can contain.",
  "list.no_address":
    "Hermod does not query {list}: no public sending address of a kind that the list contains is known.",
  "list.more": "{count} more have the same or a better status.",
  "list.unconfirmed": "A check at {time} found {subject} listed. A confirmation check is pending.",
  "list.not_checked": "{subject} was not checked yet.",
  "list.listed": "{subject} is listed ({meanings:listing_meaning});",
  "list.listed_text": '{subject} is listed ({meanings:listing_meaning}), and the list states "{text}";',
  "list.seen": "first seen at {first}, last at {last}.",
  "list.seen_but": "first seen at {first}, last at {last};",
  "list.clean": "{subject} is not listed, as of {time}.",
  "list.clean_but": "{subject} is not listed, as of {time};",
  "list.then_clean": "a check at {time} found it not listed, and a confirmation check is pending.",
  "list.then_clean_but": "a check at {time} found it not listed, and a confirmation check is pending;",
  "list.then_listed": "a check at {time} found it listed, and a confirmation check is pending.",
  "list.then_listed_but": "a check at {time} found it listed, and a confirmation check is pending;",
  "list.failing": "no check since {time} was conclusive: {reason:list_failure}.",
  "list.unknown": "{subject}: {reason:list_failure}, at {time}.",
  "list.unknown_was_clean": "{subject}: {reason:list_failure}, at {time}; at {before} it was not listed.",
  "list.unknown_was_listed": "{subject}: {reason:list_failure}, at {time}; at {before} it was listed.",
  "list.request_removal": "Request removal at {url} after you have fixed the cause.",
  "list.expires_by_age": "The entry expires one day after the domain was first seen.",
  "list.expires_after_report": "The entry expires about one day after the last report.",
  "list.expires": "The entry expires automatically. Never pay for its removal.",
} as const;
