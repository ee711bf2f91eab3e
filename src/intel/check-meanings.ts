import type { catalogue } from "./catalogue.ts";

/** Meaning of each check of the catalogue, and the consequence of its failure, in sentences for people. */
export const checkMeanings: Readonly<Record<keyof typeof catalogue, string>> = {
  "auth.spf.exists":
    "SPF lists the servers that may send mail of the domain. Without a record, receivers cannot distinguish them from others.",
  "auth.spf.single": "Receivers ignore SPF if a domain has several records, so that no mail passes.",
  "auth.spf.syntax":
    "A mistake in the record makes SPF fail with a permanent error. Receivers then treat mail as if it had no SPF.",
  "auth.spf.lookups":
    "Receivers stop after ten DNS lookups of one SPF record. A record that needs more fails with a permanent error.",
  "auth.spf.voids":
    "Receivers stop after two lookups without a result. The record then fails with a permanent error.",
  "auth.spf.all":
    "The end of the record says how receivers treat mail of servers that it does not list. Without it, or with +all, anyone can send.",
  "auth.spf.senders":
    "Each known sending address must pass SPF. Mail from an address that fails is often rejected or marked as spam.",
  "auth.spf.after_all":
    "Receivers ignore every mechanism after all, so that the servers in it are not permitted.",
  "auth.spf.ptr":
    "The mechanism ptr is slow and unreliable. Some receivers ignore it, and its servers then fail.",
  "auth.spf.redirect_ignored": "Receivers ignore redirect if the record also has all.",
  "auth.spf.type99": "The DNS record type SPF is obsolete. Receivers read only TXT records.",
  "auth.spf.size":
    "An answer that exceeds one packet needs a second query over TCP, which some resolvers cannot make.",
  "auth.dkim.key":
    "Receivers verify DKIM signatures with the key that the selector names. Without the key, every signature fails.",
  "auth.dkim.strength":
    "Short keys can be broken. Receivers ignore signatures with RSA keys of fewer than 1024 bits, and recommend 2048.",
  "auth.dkim.testing": "With the flag t=y, receivers may treat signed mail like unsigned mail.",
  "auth.dmarc.exists":
    "DMARC defines how receivers treat mail that fails SPF and DKIM. Large mailbox providers require a record from bulk senders.",
  "auth.dmarc.valid": "Receivers ignore an invalid record, as if the domain had no DMARC.",
  "auth.dmarc.policy":
    "With the policy none, receivers deliver forged mail like genuine mail. Only quarantine and reject protect the domain.",
  "auth.dmarc.subdomains": "A weaker policy for subdomains lets others send in the name of any subdomain.",
  "auth.dmarc.rua":
    "Aggregate reports show which servers send in the name of the domain, and whether their mail passes.",
  "auth.dmarc.rua_authorised":
    "A report address in another domain needs a DNS record there. Without it, receivers send no reports to the address.",
  "auth.dmarc.removed_tags": "The current DMARC standard no longer has these tags. Receivers ignore them.",
  "auth.dmarc.alignment":
    "Mail passes DMARC only if the domain of SPF or DKIM matches the domain in From. Other mail is subject to the policy.",
  "transport.starttls": "Without STARTTLS, mail to the domain crosses the Internet unencrypted.",
  "transport.cert_trust":
    "Senders that require a trusted certificate, such as with MTA-STS, hold mail back if it is not trusted.",
  "transport.cert_name":
    "Senders that verify the name of the server hold mail back if the certificate has another name.",
  "transport.cert_expiry": "Senders that verify certificates hold mail back after the expiry.",
  "transport.tls_version": "TLS 1.0 and 1.1 are insecure. Some senders no longer support them.",
  "transport.mta_sts.record":
    "MTA-STS makes senders encrypt mail to the domain and verify its servers. The record announces the policy.",
  "transport.mta_sts.policy": "Senders that cannot fetch the policy deliver without its protection.",
  "transport.mta_sts.mx": "Senders hold mail back for a mail server that an enforced policy does not name.",
  "transport.tlsrpt": "TLS reports show which senders could not encrypt mail to the domain, and the reason.",
  "transport.dane":
    "Senders that support DANE hold mail back if the TLSA records do not match the certificates.",
  "infra.mx.resolves": "Mail to the domain is lost if its mail servers have no addresses.",
  "infra.mx.answers": "Mail to the domain waits, and then returns to its senders, if no mail server answers.",
  "infra.mx.cname":
    "The name of a mail server must not be an alias. Some senders refuse to deliver to such a name.",
  "infra.mx.null":
    "A domain without MX records should declare with a null MX that it receives no mail, so that senders do not try for days.",
  "infra.dnssec":
    "DNSSEC protects the records of the domain against forgery. With invalid signatures, many resolvers find no record at all.",
  "infra.caa": "CAA records prevent other certificate authorities from issuing certificates for the domain.",
  "infra.ipv6": "Senders without IPv4 reach the domain only over IPv6.",
  "infra.expiry": "A domain that is not renewed receives no more mail, and others can register it.",
  "reputation.ptr": "Many receivers reject mail from addresses without a reverse DNS name.",
  "reputation.fcrdns":
    "The reverse DNS name must lead back to the address. Large mailbox providers reject other mail.",
  "reputation.ehlo": "Spam filters distrust servers that introduce themselves with another name.",
  "reputation.bimi": "BIMI shows the logo of the domain beside its mail, at providers that support it.",
};

/** @param name of the blacklist */
export function blacklistMeaning(name: string): string {
  return `Receivers that use ${name} reject or filter mail if it lists the domain or one of its sending addresses.`;
}
