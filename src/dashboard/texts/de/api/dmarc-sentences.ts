import type { dmarcSentences as english } from "../../../../../contracts/common/sentences/dmarc-sentences.ts";

/** Results of the checks of DMARC, by code. */
export const dmarcSentences: Readonly<Record<keyof typeof english, string>> = {
  "lookup.some_failed": "Einige Abfragen sind fehlgeschlagen.",
  "lookup.failed": "{name}: {reason:lookup_failure};",
  "lookup.last_failed": "{name}: {reason:lookup_failure}.",

  "dmarc.expects_record":
    "Ein TXT-Eintrag unter _dmarc beginnt mit v=DMARC1, oder es gilt der Eintrag einer übergeordneten Domain.",
  "dmarc.expects_valid": "Der Eintrag enthält nur bekannte Tags, jedes einmal und mit einem gültigen Wert.",
  "dmarc.expects_policy":
    "Die Richtlinie ist quarantine oder reject. Für eine geparkte Domain ist sie reject.",
  "dmarc.expects_subdomains": "Weder sp noch np ist schwächer als die Richtlinie der Domain selbst.",
  "dmarc.expects_reports": "rua enthält eine nutzbare mailto-Adresse und keine ungültige Adresse.",
  "dmarc.expects_authorisation":
    "Jede Domain außerhalb der Organisationsdomain, die Berichte erhält, hat dem zugestimmt.",
  "dmarc.expects_no_removed_tags": "Der Eintrag enthält keines der Tags pct, rf und ri.",

  "dmarc.lookup_failed":
    "Die Abfrage des DMARC-Eintrags ist fehlgeschlagen: {name}: {reason:lookup_failure}.",
  "dmarc.none": "Es gibt keinen DMARC-Eintrag.",
  "dmarc.exists": "Es gibt einen DMARC-Eintrag.",
  "dmarc.discarded_one": "Empfänger verwerfen einen anderen TXT-Eintrag mit diesem Namen.",
  "dmarc.discarded": "Empfänger verwerfen {count} andere TXT-Einträge mit diesem Namen.",
  "dmarc.organisation_applies": "Es gilt der DMARC-Eintrag von {domain}.",
  "dmarc.above_applies": "Es gilt der Eintrag von {domain}.",
  "dmarc.none_above": "Es gilt auch kein Eintrag einer übergeordneten Domain.",
  "dmarc.several_at":
    "Es gibt {count} DMARC-Einträge unter {name}, deshalb verwenden Empfänger keinen davon.",
  "dmarc.wrong_beginning": "Dies ist kein DMARC-Eintrag, weil er nicht genau mit v=DMARC1 beginnt: „{text}“.",
  "dmarc.publish_first":
    "Veröffentlichen Sie diesen Eintrag. Er verlangt von Empfängern noch nicht, E-Mails abzulehnen.",
  "dmarc.publish_unused": "Veröffentlichen Sie diesen Eintrag. Die Domain sendet keine E-Mails.",
  "dmarc.replace_all": "Ersetzen Sie alle durch diesen einen Eintrag.",
  "dmarc.replace": "Ersetzen Sie den Eintrag durch diesen.",
  "dmarc.takes_effect":
    "Die Richtlinie wird mit dem Eintrag wirksam. Veröffentlichen Sie ihn zuerst mit p=none, außer wenn Berichte zeigen, dass alle E-Mails zur Domain passen.",

  "dmarc.unused": "Empfänger verwenden den Eintrag nicht.",
  "dmarc.treated_as_none": "Empfänger behandeln den Eintrag wie p=none.",
  "dmarc.problem_twice": "„{text}“ kommt doppelt vor.",
  "dmarc.problem_policy": "„{text}“ ist keine gültige Richtlinie.",
  "dmarc.problem_value": "„{text}“ ist kein gültiger Wert für dieses Tag, deshalb gilt die Vorgabe.",
  "dmarc.problem_syntax": "„{text}“ ist kein Tag, deshalb ignorieren Empfänger es.",
  "dmarc.problem_spelling": "„{text}“ enthält Großbuchstaben, die manche Empfänger nicht akzeptieren.",
  "dmarc.valid": "Der Eintrag ist gültig.",
  "dmarc.no_policy_tag":
    "Es gibt kein Tag p. Empfänger behandeln den Eintrag wie p=none, und ältere Empfänger ignorieren ihn.",
  "dmarc.publish_own": "Veröffentlichen Sie einen DMARC-Eintrag für diese Domain.",

  "dmarc.existence_unknown": "Es ist unbekannt, ob die Domain existiert: {name}: {reason:lookup_failure}.",
  "dmarc.own_policy": "Die Richtlinie ist {tag}={written}: {in_force:dmarc_effect}.",
  "dmarc.own_policy_tested":
    "Die Richtlinie ist {tag}={written}, und mit t=y wenden Empfänger sie eine Stufe schwächer an: {in_force:dmarc_effect}.",
  "dmarc.policy_above": "Die Richtlinie ist {tag}={written} von {name}: {in_force:dmarc_effect}.",
  "dmarc.policy_above_tested":
    "Die Richtlinie ist {tag}={written} von {name}, und mit t=y wenden Empfänger sie eine Stufe schwächer an: {in_force:dmarc_effect}.",
  "dmarc.publish_when_aligned":
    "Veröffentlichen Sie diesen Eintrag, sobald Berichte zeigen, dass alle eigenen E-Mails zur Domain passen.",
  "dmarc.publish_without_loss":
    "Veröffentlichen Sie diesen Eintrag. Die Domain sendet keine E-Mails, deshalb kann keine verloren gehen.",

  "dmarc.subdomains_unknown":
    "Es ist unbekannt, welcher Eintrag für Subdomains gilt: {name}: {reason:lookup_failure}.",
  "dmarc.subdomains_protected": "Subdomains haben keine schwächere Richtlinie.",
  "dmarc.subdomains_weaker":
    "Die Richtlinie für Subdomains ist {tags:and} aus {name}, für die Domain selbst aber {policy}. Andere können im Namen jeder Subdomain senden.",
  "dmarc.raise": "Verschärfen Sie {tags:and} im Eintrag von {domain}.",
  "dmarc.publish_subdomains_when_aligned":
    "Veröffentlichen Sie diesen Eintrag, sobald Berichte zeigen, dass alle E-Mails der Subdomains zu ihnen passen. Die Richtlinie der Domain gilt dann für alle Subdomains.",
  "dmarc.publish_subdomains":
    "Veröffentlichen Sie diesen Eintrag. Die Richtlinie der Domain gilt dann für alle Subdomains.",

  "dmarc.reports_go_to": "Berichte gehen an",
  "dmarc.invalid_addresses": "Diese Adressen sind ungültig:",
  "dmarc.no_usable_address": "Keine Adresse in rua ist nutzbar:",
  "dmarc.address": "„{text}“,",
  "dmarc.last_address": "„{text}“.",
  "dmarc.no_reports": "Es sind keine Berichte angefordert: Das Tag rua fehlt.",
  "dmarc.registry_reports": "Nur die Registry darf Berichte erhalten.",
  "dmarc.publish": "Veröffentlichen Sie diesen Eintrag.",
  "dmarc.publish_address": "Veröffentlichen Sie einen Eintrag mit rua=mailto: und der Adresse für Berichte.",
  "dmarc.operator_agrees_later":
    'Hermod nimmt Berichte an, aber Empfänger senden keine, bis der Betreiber von Hermod {name} TXT "v=DMARC1" veröffentlicht.',
  "dmarc.operator_agrees_once":
    "Dies ist die eigene Domain von Hermod für Berichte. Der Betreiber von Hermod veröffentlicht diesen Eintrag einmal für alle Domains.",

  "dmarc.no_reports_by_mail": "Es sind keine Berichte per E-Mail angefordert.",
  "dmarc.reports_stay": "Die Berichte bleiben in der Organisation.",
  "dmarc.destinations_agreed": "Die Ziele der Berichte haben dem Empfang zugestimmt.",
  "dmarc.not_agreed":
    "{destination} hat dem Empfang von Berichten über {domain} nicht zugestimmt, deshalb senden Empfänger sie nicht.",
  "dmarc.not_agreed_several":
    "{destinations} haben dem Empfang von Berichten über {domain} nicht zugestimmt, deshalb senden Empfänger sie nicht.",
  "dmarc.destination_too_long":
    "Der zusammengesetzte Name ist zu lang. Lassen Sie die Berichte an ein anderes Ziel als {destination} senden.",
  "dmarc.ask_destination":
    "Bitten Sie den Betreiber von {destinations}, diesen Eintrag zu veröffentlichen, oder lassen Sie die Berichte an eine andere Adresse senden.",

  "dmarc.no_removed_tags": "Der Eintrag enthält keine abgeschafften Tags.",
  "dmarc.removed_tags": "Empfänger ignorieren {tags}.",
  "dmarc.removed_share": "Empfänger ignorieren {tags}, deshalb gilt die Richtlinie für alle E-Mails.",
  "dmarc.publish_tested":
    "Veröffentlichen Sie diesen Eintrag. Um eine Richtlinie zu testen, verwenden Sie t=y.",

  "alignment.expects": "E-Mails bestehen SPF oder DKIM mit einer Domain, die zur Domain in From passt.",
  "alignment.not_in_dns":
    "Ob E-Mails zur Domain passen, lässt sich nicht an DNS-Einträgen messen. Dafür sind E-Mails der Domain oder Berichte darüber nötig.",
  "alignment.no_mail":
    "Ob E-Mails zur Domain passen, lässt sich nicht an DNS-Einträgen messen. Dafür sind E-Mails der Domain oder Berichte darüber nötig, und aus den letzten 30 Tagen gibt es keine.",
  "alignment.only_unknown_one":
    "Empfänger melden in den letzten 30 Tagen eine E-Mail. Ihre Quelle ist nicht als eigene der Domain bekannt.",
  "alignment.only_unknown":
    "Empfänger melden in den letzten 30 Tagen {count} E-Mails. Keine ihrer Quellen ist als eigene der Domain bekannt.",
  "alignment.reported_one":
    "Empfänger melden in 30 Tagen eine E-Mail von eigenen Absendern der Domain. {percent} % bestanden SPF oder DKIM mit einer Domain, die zu From passt.",
  "alignment.reported":
    "Empfänger melden in 30 Tagen {count} E-Mails von eigenen Absendern der Domain. {percent} % bestanden SPF oder DKIM mit einer Domain, die zu From passt.",
  "alignment.most_lost":
    "Die meisten E-Mails, die nicht passen, kamen von {source:report_source}: {lost} von {count}.",
  "alignment.not_counted_one": "E-Mails aus anderen Quellen zählen nicht: eine E-Mail.",
  "alignment.not_counted": "E-Mails aus anderen Quellen zählen nicht: {count} E-Mails.",
  "alignment.configure":
    "Lassen Sie E-Mails von {source:report_source} mit DKIM als {domain} signieren oder mit einem Return-Path in dieser Domain senden.",
  "alignment.sent_one": "Hermod hat in 30 Tagen eine E-Mail der Domain gesendet, {aligned_by:own_alignment}.",
  "alignment.sent": "Hermod hat in 30 Tagen {count} E-Mails der Domain gesendet, {aligned_by:own_alignment}.",
  "alignment.not_when_forwarded": "Weitergeleitete E-Mails passen nicht zur Domain.",
  "alignment.not_unless_signed":
    "Die E-Mails passen nicht zur Domain, außer wenn sie schon vorher signiert wurden.",
  "alignment.unreported": "Noch kein Empfänger hat berichtet.",
  "alignment.add_domain":
    "Fügen Sie {domain} zu den Versanddomains von Hermod hinzu, und veröffentlichen Sie die Einträge, die dort stehen.",
};
