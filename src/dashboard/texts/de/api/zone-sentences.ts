import type { zoneSentences as english } from "../../../../../contracts/common/sentences/zone-sentences.ts";

/** Results of the checks of the zone, its registration and blacklists, by code. */
export const zoneSentences: Readonly<Record<keyof typeof english, string>> = {
  "caa.expected":
    "CAA-Einträge, wenn es sie gibt, erlauben einer Zertifizierungsstelle, Zertifikate für die Mailserver auszustellen.",
  "caa.no_host": "Kein Host braucht ein Zertifikat.",
  "caa.correct":
    "Berichtigen Sie die CAA-Einträge, und ergänzen Sie die Zertifizierungsstelle, die die Zertifikate dieser Hosts ausstellt.",
  "caa.host_unknown": "Es ist nicht bekannt, ob der Host {name} existiert: {reason:lookup_failure}.",
  "caa.from": "{host} (CAA von {name}):",
  "caa.many_labels": "Der Name hat mehr als {count} Labels.",
  "caa.lookup_failed": "Die CAA-Abfrage ist gescheitert: {reason:lookup_failure}.",
  "caa.unrestricted": "Kein CAA-Eintrag beschränkt die Zertifizierungsstellen.",
  "caa.none_may": "Keine Zertifizierungsstelle darf das nötige Zertifikat ausstellen.",
  "caa.only": "Nur {issuers} darf ausstellen.",
  "caa.any": "Jede Zertifizierungsstelle darf ausstellen.",
  "caa.bad_tag": "Ein Eintrag hat ein unlesbares Tag: {tag}.",
  "caa.critical":
    "{tag} ist kritisch, deshalb dürfen Zertifizierungsstellen, die es nicht kennen, nichts ausstellen.",
  "caa.bad_issuer": "{tag} {value} nennt keine gültige Zertifizierungsstelle.",
  "caa.bad_report_address": "iodef {value} ist keine gültige Adresse für Meldungen.",

  "dnssec.expected":
    "Die Zone der Domain ist signiert, und Resolver, die DNSSEC prüfen, nehmen ihre Antworten an.",
  "dnssec.no_validator":
    "Es ist nicht bekannt, ob die Zone signiert ist: Keiner der befragten DNS-Server ({servers}) prüft DNSSEC.",
  "dnssec.lookup_failed": "Die Abfrage der Zone ist gescheitert: {reason:lookup_failure}.",
  "dnssec.no_domain": "Die Domain existiert nicht.",
  "dnssec.valid": "Die Zone ist mit gültigen Signaturen signiert.",
  "dnssec.bogus":
    "Die DNSSEC-Signaturen für {domain} sind ungültig: Ein prüfender Server meldet SERVFAIL, antwortet aber ohne Prüfung. Prüfende Server können der Domain nichts senden und ihre E-Mails nicht prüfen.",
  "dnssec.bogus_because":
    "Die DNSSEC-Signaturen für {domain} sind ungültig: Ein prüfender Server meldet SERVFAIL ({reason:lookup_failure}), antwortet aber ohne Prüfung. Prüfende Server können der Domain nichts senden und ihre E-Mails nicht prüfen.",
  "dnssec.sign_again":
    "Lassen Sie die Zone neu signieren, und vergleichen Sie den DS-Eintrag beim Registrar mit ihrem Schlüssel.",
  "dnssec.expired": "Lassen Sie die Zone neu signieren. Eine Signatur ist abgelaufen.",
  "dnssec.not_yet":
    "Prüfen Sie die Uhr des Servers, der die Zone signiert. Eine Signatur ist noch nicht gültig.",
  "dnssec.other_key": "Ersetzen Sie den DS-Eintrag beim Registrar. Die Zone hat keinen passenden Schlüssel.",
  "dnssec.unsigned_records": "Lassen Sie die ganze Zone neu signieren. Signaturen fehlen.",
  "dnssec.no_nsec": "Lassen Sie die ganze Zone neu signieren. Ihre NSEC-Einträge fehlen.",
  "dnssec.iterations": "Setzen Sie die NSEC3-Iterationen der Zone auf 0 (RFC 9276, Abschnitt 3.1).",
  "dnssec.remove_ds":
    "Wenn das Zeit braucht, lassen Sie den DS-Eintrag beim Registrar entfernen. Eine unsignierte Zone verliert keine E-Mails.",
  "dnssec.algorithm":
    "Es gibt einen DS-Eintrag, aber der prüfende Server beachtet ihn nicht, weil er die Algorithmen nicht unterstützt.",
  "dnssec.other_algorithm":
    "Signieren Sie die Zone mit einem verbreiteten Algorithmus wie ECDSA P-256 (13), und ersetzen Sie den DS-Eintrag.",
  "dnssec.no_ds":
    "Die Zone ist signiert, aber die übergeordnete Zone hat keinen DS-Eintrag für sie, deshalb können Resolver die Signaturen nicht prüfen.",
  "dnssec.publish_ds": "Lassen Sie den DS-Eintrag des Schlüssels der Zone beim Registrar veröffentlichen.",
  "dnssec.unsigned":
    "Die Domain hat keine DNSSEC-Signaturen. DNSSEC ist nicht vorgeschrieben, aber unsignierte Antworten lassen sich fälschen, und DANE setzt DNSSEC voraus.",
  "dnssec.sign":
    "Lassen Sie die Zone vom DNS-Anbieter signieren und dann ihren DS-Eintrag beim Registrar veröffentlichen.",

  "expiry.expected": "Die Domain ist noch mindestens {count} Tage registriert.",
  "expiry.failed": "Die Abfrage des Registers ist gescheitert: {reason:lookup_failure}.",
  "expiry.no_registry": "Kein Register lässt sich nach {domain} fragen: {reason:lookup_failure}.",
  "expiry.not_found":
    "Der Server {server} des Registers kennt {domain} nicht (HTTP 404). Die Domain ist nicht registriert, oder der Server hat keine Daten über sie.",
  "expiry.renew":
    "Verlängern Sie {domain} beim Registrar, und schalten Sie die automatische Verlängerung ein.",
  "expiry.ending": "{domain} wurde nicht verlängert und wird gelöscht ({states}).",
  "expiry.restore": "Lassen Sie {domain} sofort vom Registrar wiederherstellen.",
  "expiry.no_end": "Das Register gibt nicht an, wann die Registrierung von {domain} endet.",
  "expiry.ended": "Die Registrierung von {domain} endete am {day}.",
  "expiry.hours": "{domain} ist bis {day} registriert, noch für wenige Stunden.",
  "expiry.day": "{domain} ist bis {day} registriert, noch für 1 Tag.",
  "expiry.days": "{domain} ist bis {day} registriert, noch für {count} Tage.",

  "list.expected": "{list} führt weder die Domain noch eine ihrer sendenden Adressen.",
  "list.not_queried": "Hermod fragt {list} nicht: {reason:list_failure}.",
  "list.no_domain":
    "Hermod fragt {list} nicht: Die Domain ist ein öffentliches Suffix oder ein Name, den die Liste nicht enthalten kann.",
  "list.no_address":
    "Hermod fragt {list} nicht: Keine öffentliche sendende Adresse einer Art, die die Liste enthält, ist bekannt.",
  "list.more": "{count} weitere haben denselben oder einen besseren Status.",
  "list.unconfirmed":
    "Eine Prüfung um {time} fand {subject} auf der Liste. Eine zweite Prüfung zur Bestätigung steht aus.",
  "list.not_checked": "{subject} wurde noch nicht geprüft.",
  "list.listed": "{subject} steht auf der Liste ({meanings:listing_meaning});",
  "list.listed_text":
    "{subject} steht auf der Liste ({meanings:listing_meaning}), und die Liste schreibt: „{text}“;",
  "list.seen": "zuerst gesehen um {first}, zuletzt um {last}.",
  "list.seen_but": "zuerst gesehen um {first}, zuletzt um {last};",
  "list.clean": "{subject} steht nicht auf der Liste, Stand {time}.",
  "list.clean_but": "{subject} steht nicht auf der Liste, Stand {time};",
  "list.then_clean":
    "eine Prüfung um {time} fand sie nicht auf der Liste, und eine zweite Prüfung zur Bestätigung steht aus.",
  "list.then_clean_but":
    "eine Prüfung um {time} fand sie nicht auf der Liste, und eine zweite Prüfung zur Bestätigung steht aus;",
  "list.then_listed":
    "eine Prüfung um {time} fand sie auf der Liste, und eine zweite Prüfung zur Bestätigung steht aus.",
  "list.then_listed_but":
    "eine Prüfung um {time} fand sie auf der Liste, und eine zweite Prüfung zur Bestätigung steht aus;",
  "list.failing": "seit {time} hatte keine Prüfung ein Ergebnis: {reason:list_failure}.",
  "list.unknown": "{subject}: {reason:list_failure}, um {time}.",
  "list.unknown_was_clean": "{subject}: {reason:list_failure}, um {time}; um {before} nicht auf der Liste.",
  "list.unknown_was_listed": "{subject}: {reason:list_failure}, um {time}; um {before} auf der Liste.",
  "list.request_removal": "Beantragen Sie die Entfernung unter {url}, nachdem Sie die Ursache behoben haben.",
  "list.expires_by_age": "Der Eintrag läuft einen Tag, nachdem die Domain zuerst gesehen wurde, ab.",
  "list.expires_after_report": "Der Eintrag läuft etwa einen Tag nach der letzten Meldung ab.",
  "list.expires": "Der Eintrag läuft von selbst ab. Bezahlen Sie nie für seine Entfernung.",
};
