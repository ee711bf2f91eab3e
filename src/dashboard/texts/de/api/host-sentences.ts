import type { hostSentences as english } from "../../../../../contracts/common/sentences/host-sentences.ts";

/** Results of the checks of mail servers, addresses and the zone, by code. */
export const hostSentences: Readonly<Record<keyof typeof english, string>> = {
  "check.not_run": "Die Prüfung ist noch nicht gelaufen oder ist abgeschaltet.",
  "check.other_failed": "1 weitere Prüfung ist gescheitert.",
  "check.others_failed": "{count} weitere Prüfungen sind gescheitert.",

  "host.label": "{name}:",
  "host.failed": "{name} ({reason:lookup_failure}),",
  "host.failed_last": "{name} ({reason:lookup_failure}).",
  "host.failed_more": "{name} ({reason:lookup_failure}) und {count} weitere.",

  "mx.null_expected":
    "Eine Domain, die E-Mails empfängt, hat MX-Einträge. Eine Domain, die keine empfängt, hat den Null-MX.",
  "mx.resolves_expected": "Jeder Host in den MX-Einträgen hat eine öffentliche Adresse.",
  "mx.answers_expected": "Jeder Mailserver antwortet an Port 25.",
  "mx.cname_expected": "MX-Einträge nennen Hosts, keine Aliasse.",
  "mx.lookup_failed": "Die Abfrage der MX-Einträge ist gescheitert: {reason:lookup_failure}.",
  "mx.lookups_failed": "Diese Abfragen sind gescheitert:",
  "mx.no_server": "Es gibt keinen Mailserver.",
  "mx.null": "Der Null-MX erklärt, dass die Domain keine E-Mails empfängt.",
  "mx.publish_null":
    "Veröffentlichen Sie den Null-MX als einzigen MX-Eintrag. Absender versuchen dann nicht, zuzustellen.",
  "mx.replace_null":
    "Ersetzen Sie ihn durch die MX-Einträge der Server, die die E-Mails der Domain empfangen.",
  "mx.none":
    "Es gibt keinen MX-Eintrag, und die Domain hat keine Adresse, deshalb kann sie keine E-Mails empfangen.",
  "mx.publish_each":
    "Veröffentlichen Sie einen MX-Eintrag für jeden Server, der E-Mails der Domain empfängt.",
  "mx.none_sending":
    "Es gibt keinen MX-Eintrag, und die Domain hat keine Adresse. Unzustellbarkeitsmeldungen und Antworten gehen verloren, und manche Empfänger lehnen E-Mails einer solchen Domain ab.",
  "mx.publish_bounces":
    "Veröffentlichen Sie einen MX-Eintrag für einen Server, der Unzustellbarkeitsmeldungen und Antworten an die Domain empfängt.",
  "mx.implicit": "Es gibt keinen MX-Eintrag, deshalb gehen E-Mails an die Adresse der Domain selbst.",
  "mx.publish_implicit":
    "Veröffentlichen Sie diesen MX-Eintrag, wenn dieser Host E-Mails empfängt. Veröffentlichen Sie sonst einen für den Host, der sie empfängt.",
  "mx.parked": "Die Domain ist geparkt, empfängt aber E-Mails.",
  "mx.named": "MX-Einträge nennen die Server, die die E-Mails der Domain empfangen.",
  "mx.some_unreachable": "Manche Mailserver sind nicht erreichbar.",
  "mx.some_address_needed": "Geben Sie diesen Hosts eine Adresse, oder entfernen Sie ihre MX-Einträge.",
  "mx.none_reachable": "Kein Mailserver ist erreichbar.",
  "mx.address_needed": "Geben Sie den Hosts der MX-Einträge eine Adresse.",
  "mx.all_public": "Alle Mailserver haben öffentliche Adressen.",
  "mx.no_address": "Der Host hat keine Adresse.",
  "mx.no_public_address": "Der Host hat keine Adresse, die aus dem Internet erreichbar ist.",
  "mx.root": "Ein „.“ neben anderen Hosts hat keine Bedeutung (RFC 7505, Abschnitt 3).",
  "mx.not_a_host": "Das ist kein Hostname. Ein MX-Eintrag kann keine Adresse enthalten.",
  "mx.port_closed": "Das Netz von Hermod sperrt ausgehende Verbindungen zu Port 25.",
  "mx.port_unknown":
    "Es ist noch nicht bekannt, ob das Netz von Hermod ausgehende Verbindungen zu Port 25 erlaubt.",
  "mx.not_checked": "Noch wurde kein Mailserver geprüft.",
  "mx.answer": "Mailserver antworten.",
  "mx.refuse": "Jeder Mailserver lehnt Hermod ab, nimmt aber vielleicht andere E-Mails an.",
  "mx.none_answers": "Kein Mailserver antwortet.",
  "mx.silent": "Diese antworten nicht:",
  "mx.start":
    "Starten Sie diese Mailserver, öffnen Sie Port 25 zu ihnen, oder entfernen Sie ihre MX-Einträge.",
  "mx.aliases": "Diese sind Aliasse (CNAME): {hosts}.",
  "mx.replace_aliases":
    "Nennen Sie im MX-Eintrag den Host selbst, oder ersetzen Sie den Alias durch Adressen.",
  "mx.no_alias": "Kein Mailserver ist ein Alias.",

  "ipv6.expected":
    "Mindestens ein Mailserver hat eine IPv6-Adresse, und Server mit IPv6-Adresse antworten dort wie über IPv4.",
  "ipv6.lookups_failed": "Die Abfrage mancher Adressen von Mailservern ist gescheitert.",
  "ipv6.none": "Kein Mailserver hat eine IPv6-Adresse. IPv6 ist nicht vorgeschrieben.",
  "ipv6.answer": "Diese Mailserver antworten über IPv6: {servers}.",
  "ipv6.open":
    "Lassen Sie den Mailserver an dieser Adresse lauschen und öffnen Sie Port 25 in der Firewall, oder entfernen Sie den AAAA-Eintrag.",
  "ipv6.not_public": "Die IPv6-Adresse ist aus dem Internet nicht erreichbar.",
  "ipv6.not_checked": "Der Server wurde noch nicht geprüft.",
  "ipv6.forbidden": "Hermod verbindet sich nicht mit dieser IPv6-Adresse.",
  "ipv6.silent": "Der Server hat weder über IPv6 noch über IPv4 geantwortet: {reason:lookup_failure}.",
  "ipv6.unknown":
    "Es ist nicht bekannt, ob der Server antwortet, weil Hermod keinen Mailserver über IPv6 erreicht.",
  "ipv6.only_ipv4": "{reason:lookup_failure}. Der Server antwortet über IPv4.",

  "reverse.ptr_expected": "Jede sendende Adresse hat einen Reverse-DNS-Namen (einen PTR-Eintrag).",
  "reverse.fcrdns_expected": "Der Reverse-DNS-Name jeder sendenden Adresse führt zu dieser Adresse zurück.",
  "reverse.no_address": "Es ist keine sendende Adresse bekannt.",
  "reverse.lookup_failed": "Die Abfrage des Reverse-DNS-Namens ist gescheitert: {reason:lookup_failure}.",
  "reverse.none": "Die Adresse hat keinen Reverse-DNS-Namen.",
  "reverse.not_a_host": "Der PTR-Eintrag der Adresse ist kein Hostname.",
  "reverse.resolves": "{names} führt zur Adresse zurück.",
  "reverse.elsewhere": "{names} führt nicht zur Adresse zurück.",
  "reverse.ask_provider":
    "Bitten Sie den Anbieter der Adresse um einen PTR-Eintrag mit dem Namen Ihres Mailservers, und lassen Sie diesen Namen zu dieser Adresse führen.",

  "ehlo.expected":
    "Jede sendende Adresse verwendet in EHLO einen Namen, der zu ihr führt und ihr Reverse-DNS-Name ist (RFC 5321, Abschnitt 4.1.1.1).",
  "ehlo.unknown": "Der EHLO-Name der Adresse ist nicht bekannt.",
  "ehlo.not_a_host": "Der EHLO-Name {name} ist kein Hostname.",
  "ehlo.lookup_failed": "Die Abfrage des EHLO-Namens {name} ist gescheitert: {reason:lookup_failure}.",
  "ehlo.elsewhere": "Der EHLO-Name {name} führt nicht zu dieser Adresse.",
  "ehlo.other": "Der EHLO-Name {name} führt zu dieser Adresse, ist aber nicht ihr Reverse-DNS-Name.",
  "ehlo.same": "Der EHLO-Name {name} ist der Reverse-DNS-Name der Adresse.",
  "ehlo.use_ptr":
    "Verwenden Sie in EHLO den Namen aus dem PTR-Eintrag der Adresse, und lassen Sie diesen Namen zu dieser Adresse führen.",
};
