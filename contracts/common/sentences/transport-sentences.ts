/** Results of the checks of transport security, by code. */
export const transportSentences = {
  "transport.expects_starttls": "Each mail server offers STARTTLS, and the handshake succeeds.",
  "transport.expects_trust":
    "Each mail server has a certificate of a public authority, and sends the complete chain.",
  "transport.expects_name":
    "The certificate of each mail server contains the server's name as an alternative name.",
  "transport.expects_expiry":
    "The certificate of each mail server is valid, and is renewed 14 days before its end or when a third of its lifetime is left.",
  "transport.expects_version": "Each mail server supports TLS 1.2 or TLS 1.3.",
  "transport.expects_sts_record": "One TXT record at _mta-sts has the form v=STSv1; id=….",
  "transport.expects_sts_policy": "mta-sts serves a valid policy that senders can cache.",
  "transport.expects_sts_mx": "The policy names each host of the MX records.",
  "transport.expects_tls_rpt": "One TXT record at _smtp._tls has an address for TLS reports.",
  "transport.expects_dane":
    "Each mail server has TLSA records signed with DNSSEC, and its certificate matches one.",
  "transport.parked": "The domain is parked, so it has no mail transport to check.",
  "transport.no_server": "The domain has no mail server.",
  "transport.no_server_to_check": "There is no mail server to check.",
  "transport.servers_unknown": "The lookup of the mail servers failed: {reason:lookup_failure}.",
  "transport.closed":
    "Hermod's network blocks outbound connections to port 25, so no mail server can be reached.",
  "transport.masked": "A firewall in Hermod's own network hides STARTTLS at every mail server.",

  "mail_server.label": "{servers}:",
  "mail_server.label_more": "{servers}, and {count} more:",
  "mail_server.list": "{servers}.",
  "mail_server.list_more": "{servers}, and {count} more.",
  "mail_server.more": "and {count} more",
  "mail_server.addresses_unknown": "The lookup of its addresses failed: {reason:lookup_failure}.",
  "mail_server.not_checked": "It has not been checked yet.",
  "mail_server.forbidden": "Hermod connects to none of its addresses.",
  "mail_server.no_answer": "It did not answer as a mail server:",
  "mail_server.failed": "{address}: {reason:lookup_failure};",
  "mail_server.last_failed": "{address}: {reason:lookup_failure}.",

  "starttls.all_work": "STARTTLS works with all mail servers:",
  "starttls.not_offered": "It does not offer STARTTLS.",
  "starttls.offer":
    "Install a certificate on the mail server and enable STARTTLS. Without it mail arrives in plain text.",
  "starttls.masked": "Its STARTTLS offer is replaced with X, as some firewalls do.",
  "starttls.unmask": "Disable the SMTP inspection of the firewall before the mail server.",
  "starttls.refused": "It offers STARTTLS but then refuses it: {reason:lookup_failure}.",
  "starttls.check_key":
    "Check the log of the mail server. A common cause is an unreadable certificate or key.",
  "starttls.failed": "It offers STARTTLS, but senders cannot use it: {reason:lookup_failure}.",
  "starttls.check_handshake":
    "Check the log of the mail server for the handshake, its versions and its certificate.",
  "starttls.unknown": "It is unknown whether STARTTLS works: {reason:lookup_failure}.",
  "starttls.all_current": "All mail servers support TLS 1.2 or later:",
  "starttls.old_version": "It supports no TLS version later than {version}.",
  "starttls.enable_current":
    "Enable TLS 1.2 and TLS 1.3. Senders refuse earlier versions, or send mail in plain text.",
  "starttls.not_completed": "The handshake was not completed.",
  "starttls.nothing_to_check": "STARTTLS does not work, so there is nothing to check.",

  "certificate.all_trusted": "The certificates of all mail servers are trusted:",
  "certificate.all_named": "The certificates of all mail servers contain the servers' names:",
  "certificate.none_expires": "The certificates of all mail servers do not expire soon:",
  "certificate.key_authenticated":
    "A TLSA record authenticates its key, regardless of the rest of its certificate.",
  "certificate.costs_mail": "Senders that follow {policies:and} hold mail for it.",
  "certificate.cost_unknown_record":
    "It is unknown whether that costs mail: the lookup of the MTA-STS record failed ({reason:lookup_failure}).",
  "certificate.cost_unknown_policy":
    "It is unknown whether that costs mail: the fetch of the MTA-STS policy failed ({reason:lookup_failure}).",
  "certificate.cost_unknown_dane":
    "It is unknown whether that costs mail: the lookup of the TLSA records failed ({reason:lookup_failure}).",
  "certificate.self_signed": "Its certificate is self-signed.",
  "certificate.not_public": "Its certificate comes from an authority that is not public.",
  "certificate.no_chain": "It sends only its own certificate, without the chain to a public authority.",
  "certificate.not_public_or_no_chain":
    "Its certificate comes from an authority that is not public, or an intermediate certificate is missing.",
  "certificate.intermediate_expired": "An intermediate certificate has expired.",
  "certificate.intermediate_not_valid": "An intermediate certificate is not valid yet.",
  "certificate.untrusted": "Its certificate does not lead to a public authority: {code}.",
  "certificate.have_issued":
    "Have a public authority issue the certificate, and configure the server to send the complete chain.",
  "certificate.not_named": "Its certificate does not contain {name}.",
  "certificate.names_neither": "Its certificate does not contain {name} or {other}.",
  "certificate.no_names": "It has no alternative name.",
  "certificate.names": "It is for {names}.",
  "certificate.have_named": "Have a certificate issued that contains {name} as an alternative name.",
  "certificate.expired": "Its certificate expired at {time}.",
  "certificate.not_valid": "Its certificate is not valid before {time}.",
  "certificate.expires": "Its certificate expires at {time} and has not been renewed.",
  "certificate.renew": "Renew the certificate, load it into the mail server, and automate the renewal.",

  "tlsa.not_validating": "Hermod's resolver does not validate DNSSEC, which DANE requires.",
  "tlsa.all_match": "TLSA records match the certificates of all mail servers:",
  "tlsa.certificate_unknown": "There are TLSA records, but Hermod could not read the certificate.",
  "tlsa.no_starttls":
    "It has TLSA records, but STARTTLS does not work, so senders with DANE hold mail for it.",
  "tlsa.repair_starttls": "Repair STARTTLS, or remove the TLSA records of {name} until then.",
  "tlsa.none_usable":
    "None of its TLSA records is usable: mail servers support only the usages 2 and 3 (RFC 7672 section 3.1.3).",
  "tlsa.no_match": "Senders with DANE hold mail for it: {reason:lookup_failure}.",
  "tlsa.unknown": "It is unknown whether DANE applies: {reason:lookup_failure}.",
  "tlsa.none":
    "It has no TLSA records. DANE is optional, but without it an attacker on the path can prevent TLS.",
  "tlsa.after_starttls": "When STARTTLS works, publish a TLSA record of the mail server's key.",
  "tlsa.unsigned_records":
    "DANE cannot be used because the TLSA records are not signed with DNSSEC. DANE is optional.",
  "tlsa.unsigned_addresses":
    "DANE cannot be used because the addresses are not signed with DNSSEC. DANE is optional.",
  "tlsa.unsigned_mx":
    "DANE cannot be used because the MX records of {domain} are not signed with DNSSEC. DANE is optional.",
  "tlsa.used_anyway": "It has signed TLSA records, and some senders use them: {reason:lookup_failure}.",
  "tlsa.sign_zone": "Sign the zone with DNSSEC, if its provider offers that, and then publish TLSA records.",
  "tlsa.lookup_failed":
    "The lookup of its TLSA records failed: {reason:lookup_failure}. During such a failure, senders with DANE hold mail for it (RFC 7672 section 2.1.2).",
  "tlsa.bogus":
    "The signatures of {name} are invalid, so senders with DANE hold mail for it (RFC 7672 section 2.1.2).",
  "tlsa.sign_again": "Ask the DNS operator of {name} to sign its zone again, including denials of existence.",
  "tlsa.replace": "Replace the existing records with this one.",
  "tlsa.publish": "If you run this mail server, publish this record.",
  "tlsa.next_key":
    "Before the server gets another key, publish a second record for that key, and wait for the TTL.",

  "mta_sts.record_unknown": "The lookup of the record failed: {reason:lookup_failure}.",
  "mta_sts.record": "There is one record, with the id {id}.",
  "mta_sts.idle_policy": "There is a policy ({mode}), but without the record senders do not fetch it.",
  "mta_sts.several":
    "There are {count} MTA-STS records, so senders assume that there is none (RFC 8461 section 3.1).",
  "mta_sts.ignored": "Senders assume that there is none.",
  "mta_sts.none": "There is no MTA-STS record.",
  "mta_sts.wrong_beginning":
    "There is no MTA-STS record. This text is none because it does not begin with v=STSv1 and a semicolon: “{text}”.",
  "mta_sts.no_id": "The MTA-STS record has no id: “{text}”.",
  "mta_sts.odd_id": "The id of the MTA-STS record must have 1 to 32 letters or digits: “{text}”.",
  "mta_sts.odd_part": "The MTA-STS record has a part without the form name=value: “{text}”.",
  "mta_sts.announce_enforced":
    "First set the mode of the policy at {host} to testing, because the record puts the policy into force. Then publish v=STSv1; id={id}; at {name} as the only MTA-STS record. Set enforce when TLS reports show no failures.",
  "mta_sts.announce":
    "Publish this record as the only MTA-STS record. Change its id whenever the policy changes.",
  "mta_sts.serve_first":
    "First serve a policy in testing mode over HTTPS at {host}, then publish this record as the only MTA-STS record. Change its id whenever the policy changes.",
  "mta_sts.announcement_unknown": "It is unknown whether there is a record: {reason:lookup_failure}.",
  "mta_sts.not_fetched": "Without a record senders do not fetch a policy.",
  "mta_sts.policy_unknown": "The fetch of the policy failed: {reason:lookup_failure}.",
  "mta_sts.no_policy": "Senders get no policy: {reason:lookup_failure}.",
  "mta_sts.serve":
    "Serve /.well-known/mta-sts.txt at {host} over HTTPS, with a certificate for that name, without a redirect, as text/plain. Until then the record has no effect.",
  "mta_sts.mode_none": "The policy has the mode none, so senders act as if there were no policy.",
  "mta_sts.set_mode": "Set the mode to testing, check the TLS reports, and then set it to enforce.",
  "mta_sts.testing": "The policy is in testing mode. Senders report problems but deliver anyway.",
  "mta_sts.enforced_a_day": "The policy is enforced, and senders cache it for a day.",
  "mta_sts.enforced": "The policy is enforced, and senders cache it for {count} days.",
  "mta_sts.forgotten":
    "Senders forget the policy after {seconds} seconds. The next fetch is then unprotected (RFC 8461 section 10.2).",
  "mta_sts.set_max_age": "Set max_age to several weeks, for example 2592000.",
  "mta_sts.unknown": "The policy is unknown.",
  "mta_sts.not_in_force": "There is no policy in force.",
  "mta_sts.requires_nothing": "The policy has the mode none, so it requires nothing.",
  "mta_sts.mx_unknown": "The lookup of the MX records failed.",
  "mta_sts.no_server": "There is no mail server to name.",
  "mta_sts.names_all": "The policy names every mail server.",
  "mta_sts.not_named": "The policy names {named}, but not {unnamed}.",
  "mta_sts.loses_none_yet": "It is in testing mode and loses no mail yet.",
  "mta_sts.others_used": "Senders that follow it use only the other mail servers.",
  "mta_sts.not_delivered": "Senders that follow it cannot deliver.",
  "mta_sts.add_line": "Add a line to the policy, and then change the id of the record at {name}: {lines}.",
  "mta_sts.add_lines": "Add lines to the policy, and then change the id of the record at {name}: {lines}.",

  "tls_rpt.record_unknown": "The lookup of the record failed: {reason:lookup_failure}.",
  "tls_rpt.several":
    "There are {count} TLS-RPT records, so senders assume that there is none (RFC 8460 section 3).",
  "tls_rpt.keep_one": "Keep only one of them.",
  "tls_rpt.unusable": "Senders cannot use the TLS-RPT record.",
  "tls_rpt.too_long": "It has more than {count} characters.",
  "tls_rpt.odd_part": "It has a part without the form name=value.",
  "tls_rpt.no_rua": "It has no rua.",
  "tls_rpt.no_address": "Its rua has neither a mailto nor an https address.",
  "tls_rpt.text": "“{text}”.",
  "tls_rpt.requested": "Reports are requested: {addresses}.",
  "tls_rpt.some_unusable": "Reports are requested, but some addresses are unusable: {addresses}.",
  "tls_rpt.replace": "Replace the record with this one.",
  "tls_rpt.former_name": "There is a TLS-RPT record at {name}, but senders do not query this name.",
  "tls_rpt.move": "Publish this record, and remove the one at {name}.",
  "tls_rpt.none": "There is no TLS-RPT record.",
  "tls_rpt.wrong_beginning":
    "There is no TLS-RPT record. This text is none because it does not begin with v=TLSRPTv1 and a semicolon: “{text}”.",
  "tls_rpt.publish": "Publish this record. Senders then report TLS failures daily.",
  "tls_rpt.not_notified": "The domain is not notified of mail that {policy} holds back.",
  "tls_rpt.not_notified_of_both": "The domain is not notified of mail that MTA-STS or DANE holds back.",
  "tls_rpt.no_policy": "It is useful with MTA-STS or DANE, and the domain has neither.",
} as const;
