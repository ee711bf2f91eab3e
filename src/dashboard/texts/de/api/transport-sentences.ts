import type { transportSentences as english } from "../../../../../contracts/common/sentences/transport-sentences.ts";

/** Results of the checks of transport security, by code. */
export const transportSentences: Readonly<Record<keyof typeof english, string>> = {
  "transport.expects_starttls": "Jeder Mailserver bietet STARTTLS an, und der Handshake gelingt.",
  "transport.expects_trust":
    "Jeder Mailserver hat ein Zertifikat einer öffentlichen Zertifizierungsstelle und sendet die vollständige Kette.",
  "transport.expects_name":
    "Das Zertifikat jedes Mailservers enthält den Namen des Servers als alternativen Namen.",
  "transport.expects_expiry":
    "Das Zertifikat jedes Mailservers ist gültig und wird 14 Tage vor seinem Ende erneuert, oder wenn noch ein Drittel seiner Laufzeit übrig ist.",
  "transport.expects_version": "Jeder Mailserver unterstützt TLS 1.2 oder TLS 1.3.",
  "transport.expects_sts_record": "Ein TXT-Eintrag unter _mta-sts hat die Form v=STSv1; id=….",
  "transport.expects_sts_policy": "mta-sts liefert eine gültige Richtlinie, die Absender speichern können.",
  "transport.expects_sts_mx": "Die Richtlinie nennt jeden Server der MX-Einträge.",
  "transport.expects_tls_rpt": "Ein TXT-Eintrag unter _smtp._tls hat eine Adresse für TLS-Berichte.",
  "transport.expects_dane":
    "Jeder Mailserver hat TLSA-Einträge, die mit DNSSEC signiert sind, und sein Zertifikat passt zu einem davon.",
  "transport.parked": "Die Domain ist geparkt, deshalb hat sie keinen Transport, der zu prüfen wäre.",
  "transport.no_server": "Die Domain hat keinen Mailserver.",
  "transport.no_server_to_check": "Es gibt keinen Mailserver, der zu prüfen wäre.",
  "transport.servers_unknown": "Die Abfrage der Mailserver ist fehlgeschlagen: {reason:lookup_failure}.",
  "transport.closed":
    "Das Netz von Hermod sperrt ausgehende Verbindungen zu Port 25, deshalb ist kein Mailserver erreichbar.",
  "transport.masked": "Eine Firewall im Netz von Hermod verbirgt STARTTLS bei jedem Mailserver.",

  "mail_server.label": "{servers}:",
  "mail_server.label_more": "{servers} und {count} weitere:",
  "mail_server.list": "{servers}.",
  "mail_server.list_more": "{servers} und {count} weitere.",
  "mail_server.more": "und {count} weitere",
  "mail_server.addresses_unknown": "Die Abfrage seiner Adressen ist fehlgeschlagen: {reason:lookup_failure}.",
  "mail_server.not_checked": "Er wurde noch nicht geprüft.",
  "mail_server.forbidden": "Hermod verbindet sich mit keiner seiner Adressen.",
  "mail_server.no_answer": "Er hat nicht als Mailserver geantwortet:",
  "mail_server.failed": "{address}: {reason:lookup_failure};",
  "mail_server.last_failed": "{address}: {reason:lookup_failure}.",

  "starttls.all_work": "STARTTLS funktioniert bei allen Mailservern:",
  "starttls.not_offered": "Er bietet STARTTLS nicht an.",
  "starttls.offer":
    "Installieren Sie auf dem Mailserver ein Zertifikat, und schalten Sie STARTTLS ein. Ohne STARTTLS kommen E-Mails unverschlüsselt an.",
  "starttls.masked": "Sein Angebot von STARTTLS ist durch X ersetzt, wie es manche Firewalls tun.",
  "starttls.unmask": "Schalten Sie die SMTP-Inspektion der Firewall vor dem Mailserver aus.",
  "starttls.refused": "Er bietet STARTTLS an, lehnt es dann aber ab: {reason:lookup_failure}.",
  "starttls.check_key":
    "Prüfen Sie das Log des Mailservers. Eine häufige Ursache ist ein unlesbares Zertifikat oder ein unlesbarer Schlüssel.",
  "starttls.failed": "Er bietet STARTTLS an, aber Absender können es nicht nutzen: {reason:lookup_failure}.",
  "starttls.check_handshake":
    "Prüfen Sie im Log des Mailservers den Handshake, seine Versionen und sein Zertifikat.",
  "starttls.unknown": "Es ist unbekannt, ob STARTTLS funktioniert: {reason:lookup_failure}.",
  "starttls.all_current": "Alle Mailserver unterstützen TLS 1.2 oder eine spätere Version:",
  "starttls.old_version": "Er unterstützt keine spätere TLS-Version als {version}.",
  "starttls.enable_current":
    "Schalten Sie TLS 1.2 und TLS 1.3 ein. Absender lehnen frühere Versionen ab oder senden E-Mails unverschlüsselt.",
  "starttls.not_completed": "Der Handshake wurde nicht abgeschlossen.",
  "starttls.nothing_to_check": "STARTTLS funktioniert nicht, deshalb gibt es nichts zu prüfen.",

  "certificate.all_trusted": "Die Zertifikate aller Mailserver sind vertrauenswürdig:",
  "certificate.all_named": "Die Zertifikate aller Mailserver enthalten die Namen der Server:",
  "certificate.none_expires": "Kein Zertifikat der Mailserver läuft bald ab:",
  "certificate.key_authenticated":
    "Ein TLSA-Eintrag bestätigt seinen Schlüssel, unabhängig vom Rest seines Zertifikats.",
  "certificate.costs_mail": "Absender, die {policies:and} befolgen, halten E-Mails für ihn zurück.",
  "certificate.cost_unknown_record":
    "Es ist unbekannt, ob das E-Mails kostet: Die Abfrage des MTA-STS-Eintrags ist fehlgeschlagen ({reason:lookup_failure}).",
  "certificate.cost_unknown_policy":
    "Es ist unbekannt, ob das E-Mails kostet: Der Abruf der MTA-STS-Richtlinie ist fehlgeschlagen ({reason:lookup_failure}).",
  "certificate.cost_unknown_dane":
    "Es ist unbekannt, ob das E-Mails kostet: Die Abfrage der TLSA-Einträge ist fehlgeschlagen ({reason:lookup_failure}).",
  "certificate.self_signed": "Sein Zertifikat ist selbstsigniert.",
  "certificate.not_public":
    "Sein Zertifikat stammt von einer Zertifizierungsstelle, die nicht öffentlich ist.",
  "certificate.no_chain":
    "Er sendet nur sein eigenes Zertifikat, ohne die Kette zu einer öffentlichen Zertifizierungsstelle.",
  "certificate.not_public_or_no_chain":
    "Sein Zertifikat stammt von einer Zertifizierungsstelle, die nicht öffentlich ist, oder ein Zwischenzertifikat fehlt.",
  "certificate.intermediate_expired": "Ein Zwischenzertifikat ist abgelaufen.",
  "certificate.intermediate_not_valid": "Ein Zwischenzertifikat ist noch nicht gültig.",
  "certificate.untrusted": "Sein Zertifikat führt zu keiner öffentlichen Zertifizierungsstelle: {code}.",
  "certificate.have_issued":
    "Lassen Sie das Zertifikat von einer öffentlichen Zertifizierungsstelle ausstellen, und konfigurieren Sie den Server so, dass er die vollständige Kette sendet.",
  "certificate.not_named": "Sein Zertifikat enthält {name} nicht.",
  "certificate.names_neither": "Sein Zertifikat enthält weder {name} noch {other}.",
  "certificate.no_names": "Es hat keinen alternativen Namen.",
  "certificate.names": "Es gilt für {names}.",
  "certificate.have_named":
    "Lassen Sie ein Zertifikat ausstellen, das {name} als alternativen Namen enthält.",
  "certificate.expired": "Sein Zertifikat ist am {time} abgelaufen.",
  "certificate.not_valid": "Sein Zertifikat ist nicht vor {time} gültig.",
  "certificate.expires": "Sein Zertifikat läuft am {time} ab und wurde noch nicht erneuert.",
  "certificate.renew":
    "Erneuern Sie das Zertifikat, laden Sie es in den Mailserver, und automatisieren Sie die Erneuerung.",

  "tlsa.not_validating": "Der Resolver von Hermod validiert DNSSEC nicht, das DANE voraussetzt.",
  "tlsa.all_match": "TLSA-Einträge passen zu den Zertifikaten aller Mailserver:",
  "tlsa.certificate_unknown": "Es gibt TLSA-Einträge, aber Hermod konnte das Zertifikat nicht lesen.",
  "tlsa.no_starttls":
    "Er hat TLSA-Einträge, aber STARTTLS funktioniert nicht, deshalb halten Absender mit DANE E-Mails für ihn zurück.",
  "tlsa.repair_starttls":
    "Reparieren Sie STARTTLS, oder entfernen Sie bis dahin die TLSA-Einträge von {name}.",
  "tlsa.none_usable":
    "Keiner seiner TLSA-Einträge ist nutzbar: Mailserver unterstützen nur die Verwendungen 2 und 3 (RFC 7672, Abschnitt 3.1.3).",
  "tlsa.no_match": "Absender mit DANE halten E-Mails für ihn zurück: {reason:lookup_failure}.",
  "tlsa.unknown": "Es ist unbekannt, ob DANE gilt: {reason:lookup_failure}.",
  "tlsa.none":
    "Er hat keine TLSA-Einträge. DANE ist freiwillig, aber ohne DANE kann ein Angreifer auf dem Weg TLS verhindern.",
  "tlsa.after_starttls":
    "Veröffentlichen Sie einen TLSA-Eintrag mit dem Schlüssel des Mailservers, sobald STARTTLS funktioniert.",
  "tlsa.unsigned_records":
    "DANE ist nicht nutzbar, weil die TLSA-Einträge nicht mit DNSSEC signiert sind. DANE ist freiwillig.",
  "tlsa.unsigned_addresses":
    "DANE ist nicht nutzbar, weil die Adressen nicht mit DNSSEC signiert sind. DANE ist freiwillig.",
  "tlsa.unsigned_mx":
    "DANE ist nicht nutzbar, weil die MX-Einträge von {domain} nicht mit DNSSEC signiert sind. DANE ist freiwillig.",
  "tlsa.used_anyway":
    "Er hat signierte TLSA-Einträge, und manche Absender verwenden sie: {reason:lookup_failure}.",
  "tlsa.sign_zone":
    "Signieren Sie die Zone mit DNSSEC, wenn ihr Anbieter das anbietet, und veröffentlichen Sie dann TLSA-Einträge.",
  "tlsa.lookup_failed":
    "Die Abfrage seiner TLSA-Einträge ist fehlgeschlagen: {reason:lookup_failure}. Bei einem solchen Fehler halten Absender mit DANE E-Mails für ihn zurück (RFC 7672, Abschnitt 2.1.2).",
  "tlsa.bogus":
    "Die Signaturen von {name} sind ungültig, deshalb halten Absender mit DANE E-Mails für ihn zurück (RFC 7672, Abschnitt 2.1.2).",
  "tlsa.sign_again":
    "Bitten Sie den DNS-Betreiber von {name}, die Zone neu zu signieren, auch die Antworten über fehlende Einträge.",
  "tlsa.replace": "Ersetzen Sie die vorhandenen Einträge durch diesen.",
  "tlsa.publish": "Veröffentlichen Sie diesen Eintrag, wenn Sie diesen Mailserver betreiben.",
  "tlsa.next_key":
    "Bevor der Server einen anderen Schlüssel erhält, veröffentlichen Sie einen zweiten Eintrag für diesen Schlüssel, und warten Sie die TTL ab.",

  "mta_sts.record_unknown": "Die Abfrage des Eintrags ist fehlgeschlagen: {reason:lookup_failure}.",
  "mta_sts.record": "Es gibt einen Eintrag mit der ID {id}.",
  "mta_sts.idle_policy":
    "Es gibt eine Richtlinie ({mode}), aber ohne den Eintrag rufen Absender sie nicht ab.",
  "mta_sts.several":
    "Es gibt {count} MTA-STS-Einträge, deshalb behandeln Absender sie, als gäbe es keinen (RFC 8461, Abschnitt 3.1).",
  "mta_sts.ignored": "Absender behandeln ihn, als gäbe es keinen.",
  "mta_sts.none": "Es gibt keinen MTA-STS-Eintrag.",
  "mta_sts.wrong_beginning":
    "Es gibt keinen MTA-STS-Eintrag. Dieser Text ist keiner, weil er nicht mit v=STSv1 und einem Semikolon beginnt: „{text}“.",
  "mta_sts.no_id": "Der MTA-STS-Eintrag hat keine id: „{text}“.",
  "mta_sts.odd_id":
    "Die id des MTA-STS-Eintrags muss aus 1 bis 32 Buchstaben oder Ziffern bestehen: „{text}“.",
  "mta_sts.odd_part": "Der MTA-STS-Eintrag hat einen Teil ohne die Form Name=Wert: „{text}“.",
  "mta_sts.announce_enforced":
    "Setzen Sie zuerst den Modus der Richtlinie unter {host} auf testing, denn der Eintrag setzt die Richtlinie in Kraft. Veröffentlichen Sie dann v=STSv1; id={id}; unter {name} als einzigen MTA-STS-Eintrag. Setzen Sie enforce, sobald TLS-Berichte keine Fehler zeigen.",
  "mta_sts.announce":
    "Veröffentlichen Sie diesen Eintrag als einzigen MTA-STS-Eintrag. Ändern Sie seine id bei jeder Änderung der Richtlinie.",
  "mta_sts.serve_first":
    "Stellen Sie zuerst eine Richtlinie im Modus testing über HTTPS unter {host} bereit, und veröffentlichen Sie dann diesen Eintrag als einzigen MTA-STS-Eintrag. Ändern Sie seine id bei jeder Änderung der Richtlinie.",
  "mta_sts.announcement_unknown": "Es ist unbekannt, ob es einen Eintrag gibt: {reason:lookup_failure}.",
  "mta_sts.not_fetched": "Ohne einen Eintrag rufen Absender keine Richtlinie ab.",
  "mta_sts.policy_unknown": "Der Abruf der Richtlinie ist fehlgeschlagen: {reason:lookup_failure}.",
  "mta_sts.no_policy": "Absender erhalten keine Richtlinie: {reason:lookup_failure}.",
  "mta_sts.serve":
    "Stellen Sie /.well-known/mta-sts.txt unter {host} über HTTPS bereit, mit einem Zertifikat für diesen Namen, ohne Weiterleitung, als text/plain. Bis dahin hat der Eintrag keine Wirkung.",
  "mta_sts.mode_none":
    "Die Richtlinie hat den Modus none, deshalb handeln Absender, als gäbe es keine Richtlinie.",
  "mta_sts.set_mode":
    "Setzen Sie den Modus auf testing, prüfen Sie die TLS-Berichte, und setzen Sie ihn dann auf enforce.",
  "mta_sts.testing":
    "Die Richtlinie ist im Modus testing. Absender melden Probleme, stellen aber trotzdem zu.",
  "mta_sts.enforced_a_day": "Die Richtlinie ist verbindlich, und Absender speichern sie einen Tag lang.",
  "mta_sts.enforced": "Die Richtlinie ist verbindlich, und Absender speichern sie {count} Tage lang.",
  "mta_sts.forgotten":
    "Absender vergessen die Richtlinie nach {seconds} Sekunden. Der nächste Abruf ist dann ungeschützt (RFC 8461, Abschnitt 10.2).",
  "mta_sts.set_max_age": "Setzen Sie max_age auf mehrere Wochen, zum Beispiel 2592000.",
  "mta_sts.unknown": "Die Richtlinie ist unbekannt.",
  "mta_sts.not_in_force": "Keine Richtlinie ist in Kraft.",
  "mta_sts.requires_nothing": "Die Richtlinie hat den Modus none, deshalb verlangt sie nichts.",
  "mta_sts.mx_unknown": "Die Abfrage der MX-Einträge ist fehlgeschlagen.",
  "mta_sts.no_server": "Es gibt keinen Mailserver, der zu nennen wäre.",
  "mta_sts.names_all": "Die Richtlinie nennt jeden Mailserver.",
  "mta_sts.not_named": "Die Richtlinie nennt {named}, aber nicht {unnamed}.",
  "mta_sts.loses_none_yet": "Sie ist im Modus testing, deshalb geht noch keine E-Mail verloren.",
  "mta_sts.others_used": "Absender, die sie befolgen, verwenden nur die anderen Mailserver.",
  "mta_sts.not_delivered": "Absender, die sie befolgen, können nicht zustellen.",
  "mta_sts.add_line":
    "Fügen Sie der Richtlinie eine Zeile hinzu, und ändern Sie dann die id des Eintrags unter {name}: {lines}.",
  "mta_sts.add_lines":
    "Fügen Sie der Richtlinie Zeilen hinzu, und ändern Sie dann die id des Eintrags unter {name}: {lines}.",

  "tls_rpt.record_unknown": "Die Abfrage des Eintrags ist fehlgeschlagen: {reason:lookup_failure}.",
  "tls_rpt.several":
    "Es gibt {count} TLS-RPT-Einträge, deshalb behandeln Absender sie, als gäbe es keinen (RFC 8460, Abschnitt 3).",
  "tls_rpt.keep_one": "Behalten Sie nur einen davon.",
  "tls_rpt.unusable": "Absender können den TLS-RPT-Eintrag nicht nutzen.",
  "tls_rpt.too_long": "Er hat mehr als {count} Zeichen.",
  "tls_rpt.odd_part": "Er hat einen Teil ohne die Form Name=Wert.",
  "tls_rpt.no_rua": "Er hat kein rua.",
  "tls_rpt.no_address": "Sein rua hat weder eine mailto- noch eine https-Adresse.",
  "tls_rpt.text": "„{text}“.",
  "tls_rpt.requested": "Berichte sind angefordert: {addresses}.",
  "tls_rpt.some_unusable": "Berichte sind angefordert, aber einige Adressen sind nicht nutzbar: {addresses}.",
  "tls_rpt.replace": "Ersetzen Sie den Eintrag durch diesen.",
  "tls_rpt.former_name":
    "Es gibt einen TLS-RPT-Eintrag unter {name}, aber Absender fragen diesen Namen nicht ab.",
  "tls_rpt.move": "Veröffentlichen Sie diesen Eintrag, und entfernen Sie den unter {name}.",
  "tls_rpt.none": "Es gibt keinen TLS-RPT-Eintrag.",
  "tls_rpt.wrong_beginning":
    "Es gibt keinen TLS-RPT-Eintrag. Dieser Text ist keiner, weil er nicht mit v=TLSRPTv1 und einem Semikolon beginnt: „{text}“.",
  "tls_rpt.publish": "Veröffentlichen Sie diesen Eintrag. Absender melden TLS-Fehler dann täglich.",
  "tls_rpt.not_notified": "Die Domain erfährt nichts von E-Mails, die {policy} zurückhält.",
  "tls_rpt.not_notified_of_both": "Die Domain erfährt nichts von E-Mails, die MTA-STS oder DANE zurückhält.",
  "tls_rpt.no_policy": "Er ist nützlich mit MTA-STS oder DANE, und die Domain hat keines von beiden.",
};
