import type { domainSentences as english } from "../../../../../contracts/common/sentences/domain-sentences.ts";

/** Results of the checks of DNS records, by code. */
export const domainSentences: Readonly<Record<keyof typeof english, string>> = {
  "domain.no_key": "Noch kein DKIM-Schlüssel signiert für die Domain.",
  "domain.ownership": "Der Nachweis der Inhaberschaft:",
  "domain.ownership_not_found": "Der Nachweis der Inhaberschaft wurde noch nicht gefunden.",
  "domain.ownership_not_found_because": "Der Nachweis der Inhaberschaft wurde nicht gefunden:",
  "domain.dkim": "Der DKIM-Schlüssel {selector}:",
  "domain.dkim_not_found": "Der DKIM-Schlüssel {selector} wurde noch nicht gefunden.",
  "domain.dkim_not_found_because": "Der DKIM-Schlüssel {selector} wurde nicht gefunden:",

  "dns.partial": "Auf {count} von {total} Nameservern ist es richtig, aber noch nicht auf {servers}:",
  "dns.not_queried": "Die eigenen Nameserver der Domain ließen sich nicht abfragen ({cause:dns_failure}).",
  "dns.resolver_returns": "Der Resolver liefert den Eintrag.",
  "dns.resolver_later":
    "Die Nameserver liefern den Eintrag, aber der Resolver hat noch bis zu {seconds} Sekunden lang die frühere Antwort.",
  "dns.resolver_later_unknown":
    "Die Nameserver liefern den Eintrag, aber der Resolver hat noch eine Zeit lang die frühere Antwort.",

  "txt.missing": "Es gibt keinen TXT-Eintrag mit dem Namen {name}.",
  "txt.missing_at_alias": "Der Alias (CNAME) zeigt auf {alias}, dort gibt es keinen TXT-Eintrag.",
  "txt.through_alias": "Die Antwort kommt über den Alias (CNAME) {alias}.",
  "txt.several":
    "Es gibt {count} TXT-Einträge mit diesem Namen, deshalb verwenden Empfänger keinen davon. Entfernen Sie alle außer dem erwarteten Eintrag.",
  "txt.other_value":
    "Der Eintrag hat einen anderen Wert: „{value}“. Ersetzen Sie ihn durch den erwarteten Wert.",
  "txt.other_value_beside":
    "Der vorhandene Eintrag hat einen anderen Wert: „{value}“. Fügen Sie den erwarteten Wert als eigenen Eintrag hinzu.",
  "txt.domain_twice":
    "Die Domain wurde zweimal eingegeben: Der Eintrag wurde unter {found} gefunden. Geben Sie „{label}“ als Namen ein. Der Anbieter hängt die Domain an.",
  "txt.at_domain": "Der Eintrag wurde direkt unter {found} gefunden. Sein Name muss „{label}“ sein ({name}).",
  "txt.quotes":
    "Die Anführungszeichen sind ein Teil des Werts geworden. Geben Sie ihn ohne Anführungszeichen ein.",
  "txt.backslashes": "Backslashes sind ein Teil des Werts geworden. Geben Sie ihn ohne Maskierung ein.",
  "txt.spaces":
    "Der Wert enthält zusätzliche Leerzeichen oder Anführungszeichen. Geben Sie ihn am Stück ein.",
  "txt.letter_case":
    "Die Groß- und Kleinschreibung des Werts hat sich geändert. Geben Sie den Wert genau wie angezeigt ein.",
  "txt.cut_off":
    "Der Wert endet nach {count} seiner {total} Zeichen: Er wurde abgeschnitten. Wenn Ihr Anbieter die Länge begrenzt, geben Sie ihn in mehreren Teilen von höchstens 255 Zeichen ein.",
  "txt.beginning_missing": "Der Anfang des Werts fehlt. Geben Sie den ganzen Wert ein.",

  "dkim.revoked":
    "Der Eintrag besagt, dass der Schlüssel widerrufen wurde (p= ist leer). Ersetzen Sie ihn durch den erwarteten Wert.",
  "dkim.version":
    "Der Eintrag beginnt mit v={version}. Empfänger ignorieren ihn, wenn er nicht mit v=DKIM1 beginnt.",
  "dkim.no_sha256": "Der Eintrag (h=) erlaubt SHA-256 nicht, das jede Signatur braucht.",
  "dkim.no_email": "Der Eintrag (s=) erlaubt den Schlüssel nicht für E-Mails.",
  "dkim.cut_off":
    "Der Schlüssel im Eintrag wurde abgeschnitten. Wenn Ihr Anbieter die Länge begrenzt, geben Sie den Wert in mehreren Teilen von höchstens 255 Zeichen ein.",
  "dkim.other_key":
    "Der Eintrag enthält einen anderen Schlüssel, von einer früheren Einrichtung oder einem anderen Anbieter. Ersetzen Sie ihn durch den erwarteten Wert.",

  "alias.domain_appended":
    "Die Domain wurde an das Ziel des Alias angehängt. Geben Sie das Ziel mit einem Punkt am Ende ein.",
  "alias.other_target": "Der Alias zeigt auf {target} statt auf {value}.",
  "return_path.no_mx":
    "{name} hat keinen MX-Eintrag, deshalb kommen Unzustellbarkeitsmeldungen nicht an. Der Betreiber dieser Installation muss ihn veröffentlichen.",
  "return_path.target_without_mx":
    "Der Alias ist richtig, aber {value} hat keinen MX-Eintrag. Der Betreiber dieser Installation muss ihn veröffentlichen.",
  "return_path.own_mx": "{name} hat eigene MX-Einträge. Ersetzen Sie diese durch den Alias (CNAME).",
  "return_path.missing":
    "Der Name {name} hat keinen Alias (CNAME). Die meisten Anbieter erwarten {label} als Namen.",
  "tracking_alias.own_addresses": "{name} hat eigene Adressen. Ersetzen Sie diese durch den Alias (CNAME).",
  "tracking_alias.missing":
    "Der Name {name} hat keinen Alias (CNAME). Die meisten Anbieter erwarten {label} als Namen. Der Alias ist nur für verfolgte Links unter dem eigenen Namen der Domain erforderlich.",
  "tracking_alias.no_address":
    "Der Alias ist richtig, aber verfolgte Links können ihn noch nicht verwenden: Er hat noch keine Adresse.",
  "tracking_alias.no_public_address":
    "Der Alias ist richtig, aber verfolgte Links können ihn noch nicht verwenden: Er hat keine öffentliche Adresse.",
  "tracking_alias.other_server":
    "Der Alias ist richtig, aber verfolgte Links können ihn noch nicht verwenden: Dort antwortet ein anderer Server.",
  "tracking_alias.no_https":
    "Der Alias ist richtig, aber verfolgte Links können ihn noch nicht verwenden: Er antwortet nicht über HTTPS ({detail}).",

  "spf.missing": "{domain} hat keinen SPF-Eintrag (einen TXT-Eintrag, der mit v=spf1 beginnt).",
  "spf.several":
    "Es gibt {count} SPF-Einträge, deshalb verwenden Empfänger keinen davon. Ersetzen Sie sie durch einen Eintrag, der sie zusammenfasst.",
  "spf.not_allowed":
    "Der SPF-Eintrag erlaubt dieser Installation das Senden nicht. Fügen Sie {terms} in den vorhandenen Eintrag ein. Veröffentlichen Sie keinen zweiten Eintrag.",
  "spf.allows_all": "Der Eintrag endet mit +all, das jeden Absender erlaubt.",
  "spf.through": "Er erlaubt diese Installation über {name}.",
  "spf.not_needed":
    "Ein SPF-Eintrag ist nicht nötig: E-Mails verwenden einen Return-Path unter {domain} oder dessen Alias, und dort gilt der SPF-Eintrag.",
  "spf.no_terms":
    "Es gibt keinen SPF-Eintrag, und diese Installation legt ihre sendenden Server nicht fest (HERMOD_SPF_TERMS).",

  "dmarc.several":
    "Es gibt {count} DMARC-Einträge, deshalb verwenden Empfänger keinen davon. Behalten Sie einen.",
  "dmarc.missing": "Es gibt keinen DMARC-Eintrag unter {name}.",
  "dmarc.beginning": "Der Eintrag beginnt nicht genau mit v=DMARC1, deshalb ignorieren Empfänger ihn.",
  "dmarc.other_record": "Unter dem Namen steht ein Eintrag, der kein DMARC-Eintrag ist: „{value}“.",
  "dmarc.not_parsed":
    "Der DMARC-Eintrag ist nicht lesbar. Schreiben Sie jedes Tag einmal, als Name=Wert, durch Semikolons getrennt.",
  "dmarc.policy_invalid":
    "Die DMARC-Richtlinie p={policy} ist ungültig. Sie muss none, quarantine oder reject sein.",
  "dmarc.policy": "Die Richtlinie ist p={policy}.",
  "dmarc.above": "Die DMARC-Richtlinie von {name} gilt auch hier: {policy}.",
};
