import type { attemptSentences as english } from "../../../../../contracts/common/sentences/attempt-sentences.ts";

/** Errors of attempts, by code. */
export const attemptSentences: Readonly<Record<keyof typeof english, string>> = {
  "system.failure": "{cause:system_failure} ({detail})",
  "dns.failure": "Die DNS-Abfrage ist gescheitert: {cause:dns_failure} ({detail})",
  "server.reply": "{detail}",

  "attempt.broke_off": "Der Versuch ist abgebrochen: {detail}",
  "attempt.policy_gone": "Die Routing-Richtlinie „{name}“ gibt es nicht mehr",
  "attempt.body_gone": "Die Aufbewahrungszeit des Inhalts ist abgelaufen",
  "attempt.body_unreadable": "Der Inhalt ist nicht lesbar: {detail}",
  "attempt.no_transport": "Die Richtlinie hat keinen Transport",
  "attempt.no_unsubscribe_link":
    "Die Richtlinie verlangt List-Unsubscribe. Dafür braucht dieser Worker HERMOD_BASE_URL mit https",
  "attempt.not_composed": "Die E-Mail lässt sich nicht zusammensetzen: {detail}",
  "attempt.loop": "Die E-Mail ist durch {hops} Server gegangen: Sie läuft im Kreis",
  "attempt.not_tracked": "Ohne Tracking, denn {cause:untracked};",
  "attempt.address_invalid": "Die Adresse ist ungültig",
  "attempt.sandbox_failed": "Die Sandbox konnte die E-Mail nicht speichern: {detail}",

  "message.damaged": "Die gespeicherte E-Mail ist beschädigt: {reason}",
  "message.resent": "als {id}",

  "route.no_server": "Die Domain hat keinen Server",
  "route.leads_back": "E-Mails an die Domain führen zu diesem Server zurück",
  "route.not_a_domain": "Das ist kein Name einer Domain",
  "route.no_domain": "Die Domain {domain} existiert nicht",
  "route.null_mx": "Die Domain {domain} nimmt keine E-Mails an",
  "route.no_host": "Kein MX-Eintrag von {domain} nennt einen Server",
  "route.forbidden": "Die Server der Domain haben nur Adressen, an die nicht gesendet werden darf",
  "route.no_records": "Die Domain hat weder MX- noch Adresseinträge",
  "route.no_address": "Kein MX-Eintrag der Domain führt zu einer nutzbaren Adresse",

  "server.none": "Der Transport hat keinen Server",
  "server.not_permitted":
    "{host} hat keine Adresse, die eine Richtlinie des Kontos verwenden darf. Nur Richtlinien des Betreibers dürfen das",
  "server.forbidden": "{host} darf nicht verwendet werden:",
  "server.known_down": "(bekannt seit {since}, noch nicht erneut versucht)",
  "server.unusable_source":
    "Die Absenderadresse {address} ist auf diesem Rechner nicht nutzbar: {detail:system_failure}",
  "server.connect_timeout": "Keine Verbindung innerhalb von {ms} ms",
  "server.no_answer": "Der Server hat nicht innerhalb von {ms} ms geantwortet",
  "server.closed": "Der Server hat die Verbindung geschlossen",
  "server.closed_by_hermod": "Hermod hat die Verbindung geschlossen",
  "server.more_plain_text": "Der Server hat weiteren Klartext gesendet",
  "server.contradictory_reply": "Der Server hat eine Antwort mit widersprüchlichen Zeilen gesendet",
  "server.long_reply": "Der Server hat eine zu lange Antwort gesendet",
  "server.long_line": "Der Server hat eine zu lange Zeile gesendet",
  "server.not_smtp": "Der Server spricht kein SMTP: „{detail}“",
  "server.unexpected_reply": "Der Server hat unerwartet geantwortet: {detail}",
  "server.no_starttls": "Der Server bietet kein STARTTLS an",
  "server.no_auth": "Der Server bietet weder AUTH PLAIN noch AUTH LOGIN an",
  "server.auth_needs_tls":
    "Zugangsdaten werden nur über TLS gesendet, und die Verbindung ist nicht verschlüsselt",
  "server.bad_address": "Die Adresse enthält Zeichen, die in SMTP-Befehlen nicht erlaubt sind",
  "server.no_recipient": "Die E-Mail hat keinen Empfänger",
  "server.size": "Die E-Mail hat {size} Byte, und der Server nimmt höchstens {max} an",
  "server.utf8_header":
    "Die E-Mail hat einen internationalisierten Header, den der Server nicht annimmt (kein SMTPUTF8)",
  "server.utf8_address":
    "Die E-Mail hat eine internationalisierte Adresse, die der Server nicht annimmt (kein SMTPUTF8)",
  "server.ascii_body": "Der Server nimmt nur Inhalte in ASCII an (kein 8BITMIME)",
  "server.utf8_header_stays":
    "Die E-Mail hat einen internationalisierten Header, den der Server nicht annimmt (kein SMTPUTF8), und lässt sich nicht umwandeln: {cause:unconvertible}",
  "server.ascii_body_stays":
    "Der Server nimmt nur Inhalte in ASCII an (kein 8BITMIME), und die E-Mail lässt sich nicht umwandeln: {cause:unconvertible}",

  "tls.after_starttls": "Nach STARTTLS:",
  "tls.handshake_failed": "TLS-Handshake gescheitert: {detail}",
  "tls.handshake_closed": "TLS-Handshake gescheitert: Der Server hat die Verbindung geschlossen",
  "tls.handshake_timeout": "TLS-Handshake nicht innerhalb von {ms} ms beendet",
  "tls.unverifiable": "Das Zertifikat lässt sich nicht prüfen: {detail}",
  "tls.other_name": "Das Zertifikat ist kein Nachweis für {host}: {detail:system_failure}",
  "tls.mta_sts": "Die MTA-STS-Richtlinie von {domain} nennt {host} nicht",
  "dane.lookup_failed":
    "DANE: Die TLSA-Einträge von {name} lassen sich nicht abfragen: {cause:dns_failure} ({detail})",
  "dane.unreadable": "DANE: Die Zertifikate des Servers sind nicht lesbar",
  "dane.no_certificate": "DANE: Der Server hat kein Zertifikat vorgelegt",
  "dane.no_match": "DANE: Kein TLSA-Eintrag passt zum Zertifikat",
  "dane.not_for_servers": "DANE: Das Zertifikat ist nicht für Server bestimmt",
  "dane.other_name": "DANE: Das Zertifikat gilt für keinen dieser Namen: {names}",
  "dane.out_of_date": "DANE: Ein Zertifikat des Servers ist abgelaufen oder noch nicht gültig",
  "dane.no_authority": "DANE: Keine Zertifizierungsstelle der TLSA-Einträge bürgt für das Zertifikat",

  "webhook.answered": "Antwort {status}",
  "webhook.redirected": "Antwort {status}: Weiterleitungen werden nicht befolgt",
  "webhook.answered_in_part": "Antwort {status} (der Rest wurde nicht gelesen: {cause:system_failure})",
  "webhook.no_answer": "Keine Antwort",
  "webhook.connect_timeout": "Keine Verbindung innerhalb von {seconds} Sekunden",
  "webhook.timeout": "Keine Antwort innerhalb von {seconds} Sekunden",
  "webhook.late_rest": "Die Antwort endete nicht rechtzeitig",
  "webhook.long_rest": "Nur die ersten {max} Byte der Antwort werden gelesen",
  "webhook.interim_answers": "Zu viele vorläufige Antworten",
  "webhook.long_header": "Der Header der Antwort ist zu lang",
  "webhook.closed": "Die Verbindung wurde geschlossen",
  "webhook.disabled": "Der Endpunkt ist deaktiviert: {cause:disabled_for}",
  "webhook.removed": "Der Endpunkt wurde gelöscht",
  "webhook.subject_removed": "Der Gegenstand des Ereignisses wurde gelöscht",
  "webhook.damaged": "Die gespeicherte Zustellung ist beschädigt: {reason}",
  "host.forbidden": "Zu {host} darf keine Verbindung aufgebaut werden",
  "host.no_permitted_address": "{host} hat keine Adresse, zu der eine Verbindung erlaubt ist",
  "host.no_address": "{host} hat keine Adresse",
};
