/** Results of the checks of a domain's DNS records, by code. */
export const domainSentences = {
  "domain.no_key": "No DKIM key signs for the domain yet.",
  "domain.ownership": "The proof of ownership:",
  "domain.ownership_not_found": "The proof of ownership has not been found yet.",
  "domain.ownership_not_found_because": "The proof of ownership has not been found:",
  "domain.dkim": "The DKIM key {selector}:",
  "domain.dkim_not_found": "The DKIM key {selector} has not been found yet.",
  "domain.dkim_not_found_because": "The DKIM key {selector} has not been found:",

  "dns.partial": "It is correct at {count} of {total} name servers, but not yet at {servers}:",
  "dns.not_queried": "The domain's own name servers could not be queried ({detail}{cause:translated}).",
  "dns.resolver_returns": "The resolver returns it.",
  "dns.resolver_later":
    "The name servers return it, but the resolver still has the earlier answer for up to {seconds} seconds.",
  "dns.resolver_later_unknown":
    "The name servers return it, but the resolver still has the earlier answer for a while.",

  "txt.missing": "There is no TXT record with the name {name}.",
  "txt.missing_at_alias": "The alias (CNAME) points to {alias}, which has no TXT record.",
  "txt.through_alias": "The answer uses the alias (CNAME) {alias}.",
  "txt.several":
    "There are {count} TXT records with this name, so receivers use none of them. Remove all but the expected record.",
  "txt.other_value": "The record has another value: “{value}”. Replace it with the expected value.",
  "txt.other_value_beside":
    "The existing record has another value: “{value}”. Add the expected value as a separate record.",
  "txt.domain_twice":
    "The domain was entered twice: the record was found at {found}. Enter “{label}” as the name. The provider appends the domain.",
  "txt.at_domain": "The record was found at {found} itself. Its name must be “{label}” ({name}).",
  "txt.quotes": "The quotation marks have become part of the value. Enter it without them.",
  "txt.backslashes": "Backslashes have become part of the value. Enter it without escaping.",
  "txt.spaces": "The value contains extra spaces or quotation marks. Enter it in one piece.",
  "txt.letter_case": "The letter case of the value has changed. Enter the value exactly as shown.",
  "txt.cut_off":
    "The value ends after {count} of its {total} characters: it was cut off. If your provider limits the length, enter it as several strings of at most 255 characters.",
  "txt.beginning_missing": "The beginning of the value is missing. Enter the whole value.",

  "dkim.revoked":
    "The record states that the key was revoked (p= is empty). Replace it with the expected value.",
  "dkim.version": "The record begins with v={version}. Receivers ignore it unless it begins with v=DKIM1.",
  "dkim.no_sha256": "The record (h=) does not allow SHA-256, which every signature needs.",
  "dkim.no_email": "The record (s=) does not allow the key for email.",
  "dkim.cut_off":
    "The key in the record was cut off. If your provider limits the length, enter the value as several strings of at most 255 characters.",
  "dkim.other_key":
    "The record contains another key, from an earlier setup or another provider. Replace it with the expected value.",

  "alias.domain_appended":
    "The domain was appended to the target of the alias. Enter the target with a dot at its end.",
  "alias.other_target": "The alias points to {target} instead of {value}.",
  "return_path.no_mx":
    "{name} has no MX record, so bounces do not arrive. The operator of this installation has to publish it.",
  "return_path.target_without_mx":
    "The alias is correct, but {value} has no MX record. The operator of this installation has to publish it.",
  "return_path.own_mx": "{name} has its own MX records. Replace them with the alias (CNAME).",
  "return_path.missing": "The name {name} has no alias (CNAME). Most providers expect {label} as the name.",
  "tracking_alias.own_addresses": "{name} has its own addresses. Replace them with the alias (CNAME).",
  "tracking_alias.missing":
    "The name {name} has no alias (CNAME). Most providers expect {label} as the name. The alias is required only for tracked links under the domain's own name.",
  "tracking_alias.no_address":
    "The alias is correct, but tracked links cannot use it yet: it has no address yet.",
  "tracking_alias.no_public_address":
    "The alias is correct, but tracked links cannot use it yet: it has no public address.",
  "tracking_alias.other_server":
    "The alias is correct, but tracked links cannot use it yet: another server answers there.",
  "tracking_alias.no_https":
    "The alias is correct, but tracked links cannot use it yet: it does not answer over HTTPS ({detail}).",

  "spf.missing": "{domain} has no SPF record (a TXT record that begins with v=spf1).",
  "spf.several":
    "There are {count} SPF records, so receivers use none of them. Replace them with one record that combines them.",
  "spf.not_allowed":
    "The SPF record does not allow this installation to send. Add {terms} to the existing record. Do not publish a second record.",
  "spf.allows_all": "The record ends in +all, which allows every sender.",
  "spf.through": "It allows this installation through {name}.",
  "spf.not_needed":
    "No SPF record is needed: mail uses a return path at {domain}, or at its alias, and the SPF record there applies.",
  "spf.no_terms":
    "There is no SPF record, and this installation does not define its sending servers (HERMOD_SPF_TERMS).",

  "dmarc.several": "There are {count} DMARC records, so receivers use none of them. Keep one.",
  "dmarc.missing": "There is no DMARC record at {name}.",
  "dmarc.beginning": "The record does not begin with exactly v=DMARC1, so receivers ignore it.",
  "dmarc.other_record": "The name has a record that is not a DMARC record: “{value}”.",
  "dmarc.not_parsed":
    "The DMARC record cannot be parsed. Write each tag once, as name=value, separated by semicolons.",
  "dmarc.policy_invalid": "The DMARC policy p={policy} is invalid. It must be none, quarantine or reject.",
  "dmarc.policy": "The policy is p={policy}.",
  "dmarc.above": "The DMARC policy of {name} also applies here: {policy}.",
} as const;
