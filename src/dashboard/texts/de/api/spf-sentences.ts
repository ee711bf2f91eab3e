import type { spfSentences as english } from "../../../../../contracts/common/sentences/spf-sentences.ts";

/** Results of the checks of SPF, by code. */
export const spfSentences: Readonly<Record<keyof typeof english, string>> = {
  "spf.expected_exists": "Ein TXT-Eintrag der Domain beginnt mit v=spf1.",
  "spf.expected_single": "Die Domain hat einen einzigen SPF-Eintrag.",
  "spf.expected_lookups":
    "Der Eintrag und alle Einträge, auf die er verweist, brauchen zusammen höchstens zehn DNS-Abfragen.",
  "spf.expected_voids": "Höchstens zwei Abfragen bleiben ohne Ergebnis.",
  "spf.expected_all":
    "Der Eintrag endet mit -all oder ~all. Bei einer geparkten Domain lautet er v=spf1 -all.",
  "spf.expected_senders": "Jede sendende Adresse der Domain besteht SPF.",
  "spf.expected_after_all": "all ist der letzte Mechanismus.",
  "spf.expected_ptr": "Weder der Eintrag noch ein Eintrag, auf den er verweist, verwendet ptr.",
  "spf.expected_redirect": "Ein Eintrag mit all hat kein redirect.",
  "spf.expected_type99": "SPF ist nur als TXT-Eintrag veröffentlicht.",
  "spf.expected_size": "Der Name und alle seine TXT-Einträge haben zusammen weniger als 450 Oktette.",

  "spf.more": "und {more} weitere{rest}",
  "spf.place": "{path}:",
  "spf.found": "Es gibt einen SPF-Eintrag.",
  "spf.one": "Es gibt einen einzigen SPF-Eintrag.",
  "spf.none": "Es gibt keinen SPF-Eintrag.",
  "spf.similar":
    "Dieser Text gilt nicht als SPF-Eintrag, weil er nicht mit v=spf1 und einem Leerzeichen beginnt: {list}",
  "spf.several_found": "Es gibt {count} SPF-Einträge, deshalb verwenden Empfänger keinen davon: {list}",
  "spf.none_in_force": "Es gibt mehrere SPF-Einträge, deshalb gilt keiner davon.",
  "spf.txt_failed": "Die Abfrage der TXT-Einträge ist fehlgeschlagen: {reason:lookup_failure}.",
  "spf.octets": "Der Name und seine TXT-Einträge haben {count} Oktette.",
  "spf.type99":
    "SPF-Einträge vom Typ 99 werden nicht abgefragt, weil Empfänger sie ignorieren (RFC 7208, Abschnitt 3.1).",
  "spf.valid": "Der Eintrag und alle Einträge, auf die er verweist, sind gültig.",
  "spf.invalid": "Empfänger ignorieren den ganzen Eintrag.",
  "spf.at_least": "Mindestens",
  "spf.one_lookup": "1 DNS-Abfrage{branches}",
  "spf.lookups": "{count} DNS-Abfragen{branches}",
  "spf.eleventh": "Die elfte Abfrage ist {path}.",
  "spf.varying": "Diese Ausdrücke brauchen möglicherweise weitere Abfragen: {list}",
  "spf.one_void": "1 Abfrage bleibt ohne Ergebnis{list}",
  "spf.voids": "{count} Abfragen bleiben ohne Ergebnis{list}",
  "spf.open": "Alle oder fast alle Adressen dürfen im Namen der Domain senden: {terms}.",
  "spf.all_varies": "Die Regel für andere Absender hängt von der jeweiligen E-Mail ab.",
  "spf.all_fail": "Die Regel für andere Absender ist -all (fail).",
  "spf.all_softfail": "Die Regel für andere Absender ist ~all (softfail).",
  "spf.all_neutral": "Der Eintrag endet mit ?all, das keine Regel für andere Absender festlegt.",
  "spf.all_missing":
    "Der Eintrag hat weder all noch ein redirect auf einen Eintrag mit all, deshalb legt er keine Regel für andere Absender fest.",
  "spf.parked": "Keine Adresse darf im Namen der Domain senden.",
  "spf.parked_end": "Die Domain ist geparkt, aber ihr Eintrag endet nicht mit -all.",
  "spf.parked_senders": "Die Domain ist geparkt, aber diese Ausdrücke erlauben Absender: {list}",
  "spf.all_last": "Kein Mechanismus folgt auf all.",
  "spf.after_all": "Diese Mechanismen folgen auf all, deshalb ignorieren Empfänger sie: {list}",
  "spf.redirect_none": "Es gibt kein redirect.",
  "spf.redirect_alone": "redirect steht in einem Eintrag ohne all.",
  "spf.redirect_ignored": "{term} steht in einem Eintrag mit all, deshalb ignorieren Empfänger es.",
  "spf.ptr_none": "Es gibt kein ptr.",
  "spf.ptr_used": "ptr wird verwendet: {list}",
  "spf.senders_unknown": "Keine sendende Adresse ist bekannt.",
  "spf.sender_pass": "{address} besteht SPF{term}{end}",
  "spf.sender_fail": "{address} besteht SPF nicht, Empfänger lehnen E-Mails möglicherweise ab{term}{end}",
  "spf.sender_permerror":
    "{address} führt zu einem dauerhaften Fehler, weil Empfänger den Eintrag nicht verwenden können{term}{end}",
  "spf.sender_softfail": "{address} erhält softfail: SPF autorisiert die E-Mails nicht{term}{end}",
  "spf.sender_neutral": "{address} erhält neutral: SPF autorisiert die E-Mails nicht{term}{end}",
  "spf.sender_temperror":
    "{address} ließ sich nicht auswerten, weil eine Abfrage fehlgeschlagen ist{term}{end}",
  "spf.sender_varies": "{address} hängt vom Absender der jeweiligen E-Mail ab{term}{end}",

  "spf.exchanges": "{name} hat {count} MX-Einträge. Höchstens zehn sind erlaubt.",
  "spf.name_invalid": "{name} ist kein gültiger Name und hat deshalb keinen SPF-Eintrag.",
  "spf.name_missing": "{name} hat keinen SPF-Eintrag.",
  "spf.name_several": "{name} hat {count} SPF-Einträge.",
  "spf.loop": "Der Verweis führt zu {name} zurück.",
  "spf.too_deep": "Hermod folgt höchstens {count} verschachtelten Einträgen.",
  "spf.over_budget": "Die Domain braucht mehr Abfragen, als Hermod für eine Domain durchführt.",
  "spf.lookup_failed": "Die Abfrage von {name} {type} ist fehlgeschlagen: {reason:lookup_failure}.",

  "spf.position": "(Zeichen {position}, RFC 7208, Abschnitt {section}).",
  "spf.fault_too_long": "Der Eintrag hat mehr als {count} Zeichen. Empfänger ignorieren ihn möglicherweise",
  "spf.fault_version": "Ein Eintrag muss mit v=spf1 beginnen",
  "spf.fault_twice": "{term} kommt mehrmals vor",
  "spf.fault_all": "all hat kein Argument",
  "spf.fault_no_name": "{term} braucht einen Doppelpunkt und einen Namen",
  "spf.fault_no_address": "{term} braucht einen Doppelpunkt und eine Adresse",
  "spf.fault_ptr": "ptr hat keine Präfixlänge",
  "spf.fault_mechanism": "Es gibt keinen Mechanismus „{name}“",
  "spf.fault_prefix_form": "Eine Präfixlänge hat die Form /n, //n oder /n//n",
  "spf.fault_prefix": "„{text}“ ist keine Präfixlänge von 0 bis {most}",
  "spf.fault_prefixes": "Es gibt mehr als eine Präfixlänge",
  "spf.fault_ip4": "„{text}“ ist keine IPv4-Adresse",
  "spf.fault_ip6": "„{text}“ ist keine IPv6-Adresse",
  "spf.fault_name_missing": "Ein Name fehlt",
  "spf.fault_name": "„{text}“ ist kein Name aus mehreren Teilen, der mit einer Top-Level-Domain endet",
  "spf.fault_macro": "Es gibt kein Makro mit dem Buchstaben {letter}",
  "spf.fault_macro_explanation": "Der Makrobuchstabe {letter} ist nur im Text einer Erklärung erlaubt",
  "spf.fault_macro_parts": "Ein Makro muss mindestens einen Teil behalten",
  "spf.fault_percent":
    "Dieses % beginnt kein Makro. Makros sind %% %_ %- und Buchstaben in geschweiften Klammern",
  "spf.fault_character": "Dieses Zeichen ist nicht erlaubt. Erlaubt sind nur sichtbare ASCII-Zeichen",
  "spf.doubt_modifier":
    "Das ist ein unbekannter Modifikator ohne Wirkung. Ein Mechanismus hat einen Doppelpunkt nach seinem Namen",
  "spf.doubt_label": "Ein Teil dieses Namens ist leer oder zu lang. Manche Empfänger werten das als Fehler",

  "spf.replace": "Ersetzen Sie den Eintrag durch diesen.",
  "spf.replace_if_meant": "Ersetzen Sie den Eintrag durch diesen, wenn er die beabsichtigte Bedeutung hat.",
  "spf.replace_text": "Ersetzen Sie den Text durch diesen Eintrag.",
  "spf.replace_several": "Ersetzen Sie alle durch diesen einen Eintrag.",
  "spf.publish": "Veröffentlichen Sie diesen Eintrag.",
  "spf.declares_none": "Er erklärt, dass die Domain keine E-Mails sendet.",
  "spf.allows_named":
    "Er erlaubt die Absender, die er nennt. Wenn andere Server für die Domain senden, fügen Sie zuerst deren Adressen hinzu.",
  "spf.add_others":
    "Wenn andere Server für die Domain senden, fügen Sie zuerst deren Adressen vor ~all hinzu.",
  "spf.publish_form":
    "Veröffentlichen Sie v=spf1, einen Mechanismus für jeden Server, der für die Domain sendet, und ~all. Hermod schlägt keinen Eintrag vor, weil kein Absender bekannt ist und ein Eintrag ohne Absender alle E-Mails verbieten würde. Setzen Sie sending_ips der Domain, damit der Eintrag die Adressen enthält.",
  "spf.comes_last": "all steht darin am Ende.",
  "spf.every_passes": "Jede sendende Adresse besteht damit.",
  "spf.no_voids": "Er hat keine Abfragen ohne Ergebnis.",
  "spf.no_useless_lookups": "Er hat keine Abfragen ohne Ergebnis.",
  "spf.ask_repair": "Bitten Sie die Betreiber dieser Einträge, sie zu korrigieren.",
  "spf.ask_repair_or_remove":
    "Bitten Sie die Betreiber dieser Einträge, sie zu korrigieren, oder entfernen Sie die Ausdrücke, die darauf verweisen.",
  "spf.ask_ptr": "Bitten Sie die Betreiber der Einträge mit ptr, stattdessen Adressen zu nennen.",
  "spf.remove_voids":
    "Entfernen Sie die Ausdrücke, die auf Namen ohne Einträge verweisen, oder bitten Sie die Betreiber dieser Einträge darum.",
  "spf.remove_loop":
    "Entfernen Sie die Ausdrücke, die eine Schleife bilden, und ersetzen Sie ein mx mit mehr als zehn Hosts durch Adressen mit ip4 und ip6.",
  "spf.many_lookups": "Mehr als zehn Abfragen machen den Eintrag ungültig.",
  "spf.costliest": "Abfragen von {term}: {count}.",
  "spf.fewer_lookups":
    "Entfernen Sie Dienste, die nicht mehr genutzt werden, nennen Sie deren Adressen mit ip4 und ip6, oder lassen Sie diese Dienste von einer Subdomain mit eigenem Eintrag senden.",
  "spf.long_answers":
    "So lange Antworten brauchen TCP, das manche Netze blockieren. Entfernen Sie TXT-Einträge, die nicht mehr nötig sind.",

  "spf.no_proposal": "Hermod schlägt keinen Eintrag vor.",
  "spf.advice":
    "Setzen Sie sending_ips der Domain, damit der Eintrag ihre Adressen enthält, oder korrigieren Sie den Eintrag von Hand.",
  "spf.parked_sending_ips":
    "Die Rolle der Domain besagt, dass sie keine E-Mails sendet, aber sie hat sending_ips. Entfernen Sie diese, oder setzen Sie die Rolle auf sending.",
  "spf.cannot_stay": "{term} kann nicht bleiben: {reason:spf_lost}. Korrigieren Sie den Ausdruck von Hand.",
  "spf.cannot_stay_senders":
    "{term} kann nicht bleiben: {reason:spf_lost}. Die beabsichtigten Absender sind unbekannt.",
  "spf.not_every_passes": "Nicht jede sendende Adresse würde bestehen.",
  "spf.allows_none": "Der Eintrag würde keinen Absender erlauben, aber die Domain sendet E-Mails.",
  "spf.check_later": "Prüfen Sie die Domain später noch einmal.",
  "spf.correct_first": "{path} muss zuerst korrigiert werden.",
  "spf.draft_lookups": "Der Eintrag braucht {count} DNS-Abfragen, aber nur zehn sind erlaubt.",
  "spf.draft_voids": "Mehr als zwei seiner Abfragen bleiben ohne Ergebnis.",
  "spf.draft_open": "{terms} erlaubt fast alle Absender.",
  "spf.note_corrected": "{from} wird zu {to}{end}",
  "spf.note_removed": "{term} entfällt, denn {reason:spf_lost}{end}",
  "spf.note_listed": "Die sendenden Adressen {addresses} sind enthalten{end}",
  "spf.note_listed_too": "die sendenden Adressen {addresses} sind enthalten{end}",
};
