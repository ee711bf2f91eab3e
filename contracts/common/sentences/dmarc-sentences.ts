/** Results of the checks of DMARC, by code. */
export const dmarcSentences = {
  "lookup.some_failed": "Some lookups failed.",
  "lookup.failed": "{name}: {reason:lookup_failure};",
  "lookup.last_failed": "{name}: {reason:lookup_failure}.",

  "dmarc.expects_record":
    "One TXT record at _dmarc begins with v=DMARC1, or the record of a domain above applies.",
  "dmarc.expects_valid": "The record contains only known tags, each once and with a valid value.",
  "dmarc.expects_policy": "The policy is quarantine or reject. For a parked domain it is reject.",
  "dmarc.expects_subdomains": "Neither sp nor np is weaker than the domain's own policy.",
  "dmarc.expects_reports": "rua contains a usable mailto address and no invalid address.",
  "dmarc.expects_authorisation":
    "Each domain outside of the organizational domain that receives reports has agreed to it.",
  "dmarc.expects_no_removed_tags": "The record has none of the tags pct, rf and ri.",

  "dmarc.lookup_failed": "The lookup of the DMARC record failed: {name}: {reason:lookup_failure}.",
  "dmarc.none": "There is no DMARC record.",
  "dmarc.exists": "There is a DMARC record.",
  "dmarc.discarded_one": "Receivers discard one other TXT record at this name.",
  "dmarc.discarded": "Receivers discard {count} other TXT records at this name.",
  "dmarc.organisation_applies": "The DMARC record of {domain} applies.",
  "dmarc.above_applies": "The record of {domain} applies.",
  "dmarc.none_above": "No record of a domain above applies.",
  "dmarc.several_at": "There are {count} DMARC records at {name}, so receivers use none of them.",
  "dmarc.wrong_beginning":
    "This is not a DMARC record because it does not begin with exactly v=DMARC1: “{text}”.",
  "dmarc.publish_first": "Publish this record. It does not ask receivers to reject mail yet.",
  "dmarc.publish_unused": "Publish this record. The domain sends no mail.",
  "dmarc.replace_all": "Replace all of them with this one record.",
  "dmarc.replace": "Replace the record with this one.",
  "dmarc.takes_effect":
    "The policy takes effect with the record. Publish it with p=none first, unless reports show that all mail of the domain is aligned.",

  "dmarc.unused": "Receivers do not use the record.",
  "dmarc.treated_as_none": "Receivers treat the record as p=none.",
  "dmarc.problem_twice": "“{text}” is a duplicate.",
  "dmarc.problem_policy": "“{text}” is not a valid policy.",
  "dmarc.problem_value": "“{text}” is not a valid value for this tag, so the default applies.",
  "dmarc.problem_syntax": "“{text}” is not a tag, so receivers ignore it.",
  "dmarc.problem_spelling": "“{text}” has capitals, which some receivers do not accept.",
  "dmarc.valid": "The record is valid.",
  "dmarc.no_policy_tag":
    "There is no p tag. Receivers treat the record as p=none, and older receivers ignore it.",
  "dmarc.publish_own": "Publish a DMARC record for this domain.",

  "dmarc.existence_unknown": "It is unknown whether the domain exists: {name}: {reason:lookup_failure}.",
  "dmarc.own_policy": "The policy is {tag}={written}: {in_force:dmarc_effect}.",
  "dmarc.own_policy_tested":
    "The policy is {tag}={written}, and t=y makes receivers apply one level less: {in_force:dmarc_effect}.",
  "dmarc.policy_above": "The policy is {tag}={written} of {name}: {in_force:dmarc_effect}.",
  "dmarc.policy_above_tested":
    "The policy is {tag}={written} of {name}, and t=y makes receivers apply one level less: {in_force:dmarc_effect}.",
  "dmarc.publish_when_aligned": "When reports show that all your mail is aligned, publish this record.",
  "dmarc.publish_without_loss": "Publish this record. The domain sends no mail, so no mail can be lost.",

  "dmarc.subdomains_unknown":
    "It is unknown which record applies to subdomains: {name}: {reason:lookup_failure}.",
  "dmarc.subdomains_protected": "Names below the domain have no weaker policy.",
  "dmarc.subdomains_weaker":
    "The policy for names below the domain is {tags:and}, from {name}, but {policy} for the domain itself. Others can send with any name below the domain.",
  "dmarc.raise": "Raise {tags:and} in the record of {domain}.",
  "dmarc.publish_subdomains_when_aligned":
    "When reports show that all mail of names below the domain is aligned, publish this record. The domain's policy then applies to all names below it.",
  "dmarc.publish_subdomains": "Publish this record. The domain's policy then applies to all names below it.",

  "dmarc.reports_go_to": "Reports go to",
  "dmarc.invalid_addresses": "These addresses are invalid:",
  "dmarc.no_usable_address": "No address in rua is usable:",
  "dmarc.address": "“{text}”,",
  "dmarc.last_address": "“{text}”.",
  "dmarc.no_reports": "No reports are requested: there is no rua tag.",
  "dmarc.registry_reports": "Only the registry may receive reports.",
  "dmarc.publish": "Publish this record.",
  "dmarc.publish_address": "Publish a record with rua=mailto: and the address for reports.",
  "dmarc.operator_agrees_later":
    'Hermod accepts reports, but receivers send none until the operator of Hermod publishes {name} TXT "v=DMARC1".',
  "dmarc.operator_agrees_once":
    "This is Hermod's own domain for reports. The operator of Hermod publishes this record once for all domains.",

  "dmarc.no_reports_by_mail": "No reports are requested by mail.",
  "dmarc.reports_stay": "Reports stay within the organization.",
  "dmarc.destinations_agreed": "The report destinations have agreed to receive reports.",
  "dmarc.not_agreed":
    "{destination} has not agreed to receive reports about {domain}, so receivers do not send them.",
  "dmarc.not_agreed_several":
    "{destinations} have not agreed to receive reports about {domain}, so receivers do not send them.",
  "dmarc.destination_too_long":
    "The combined name is too long. Have the reports sent to a destination other than {destination}.",
  "dmarc.ask_destination":
    "Ask the operator of {destinations} to publish this record, or have the reports sent to another address.",

  "dmarc.no_removed_tags": "The record has no removed tags.",
  "dmarc.removed_tags": "Receivers ignore {tags}.",
  "dmarc.removed_share": "Receivers ignore {tags}, so the policy applies to all mail.",
  "dmarc.publish_tested": "Publish this record. To test a policy, use t=y.",

  "alignment.expects": "Mail passes SPF or DKIM with a domain that is aligned with the From domain.",
  "alignment.not_in_dns":
    "Alignment cannot be measured from DNS records. It needs mail of the domain or reports about it.",
  "alignment.no_mail":
    "Alignment cannot be measured from DNS records. It needs mail of the domain or reports about it, and there are none from the last 30 days.",
  "alignment.only_unknown_one":
    "Receivers report one message within the last 30 days, all from sources that are not known as the domain's own.",
  "alignment.only_unknown":
    "Receivers report {count:number} messages within the last 30 days, all from sources that are not known as the domain's own.",
  "alignment.reported_one":
    "Receivers report one message from the domain's own senders within 30 days. {percent} % passed SPF or DKIM with a domain that is aligned with From.",
  "alignment.reported":
    "Receivers report {count:number} messages from the domain's own senders within 30 days. {percent} % passed SPF or DKIM with a domain that is aligned with From.",
  "alignment.most_lost":
    "Most of the unaligned mail came from {source:report_source}: {lost:number} of {count:number} messages.",
  "alignment.not_counted_one": "Mail from other sources does not count: one message.",
  "alignment.not_counted": "Mail from other sources does not count: {count:number} messages.",
  "alignment.configure":
    "Configure {source:report_source} to sign with DKIM as {domain}, or to use a return path at or below it.",
  "alignment.sent_one":
    "Hermod has sent one message from the domain within 30 days, {aligned_by:own_alignment}.",
  "alignment.sent":
    "Hermod has sent {count:number} messages from the domain within 30 days, {aligned_by:own_alignment}.",
  "alignment.not_when_forwarded": "Forwarded mail is not aligned.",
  "alignment.not_unless_signed": "The mail is not aligned unless it was signed before.",
  "alignment.unreported": "No receiver has reported yet.",
  "alignment.add_domain": "Add {domain} to Hermod's sending domains, and publish the records that it lists.",
} as const;
