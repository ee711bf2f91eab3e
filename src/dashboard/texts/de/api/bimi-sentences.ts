import type { bimiSentences as english } from "../../../../../contracts/common/sentences/bimi-sentences.ts";

/** Results of the check of BIMI, by code. „Es“ is the image as well as the certificate. */
export const bimiSentences: Readonly<Record<keyof typeof english, string>> = {
  "bimi.expected":
    "Der TXT-Eintrag unter default._bimi enthält https-Adressen eines Bilds (SVG Tiny PS) und eines Zertifikats, und die DMARC-Richtlinie ist quarantine oder reject.",
  "bimi.not_needed": "Die Domain sendet keine E-Mails, deshalb wird kein Logo angezeigt.",
  "bimi.none": "Es gibt keinen BIMI-Eintrag. Er ist freiwillig.",
  "bimi.several": "Es gibt {count} BIMI-Einträge unter {name}, deshalb verwenden Empfänger keinen davon.",
  "bimi.no_image": "Der BIMI-Eintrag hat kein Tag l.",
  "bimi.tags": "Die Tags des BIMI-Eintrags sind nicht lesbar.",
  "bimi.declined": "Die Domain möchte kein Logo anzeigen lassen (l ist leer).",
  "bimi.no_address": "Der BIMI-Eintrag hat keine https-Adresse in {tags:and}.",
  "bimi.valid": "Der BIMI-Eintrag, sein Bild und sein Zertifikat haben keine Fehler.",
  "bimi.no_certificate": "Ohne Zertifikat (a) zeigen manche Postfachanbieter das Logo nicht an.",
  "bimi.not_enforced":
    "Es gibt einen BIMI-Eintrag, aber Empfänger zeigen kein Logo, solange die DMARC-Richtlinie nicht vollständig durchgesetzt wird.",

  "bimi.keep_one": "Behalten Sie nur einen davon.",
  "bimi.correct_record": "Ändern Sie den Eintrag unter {name} in die Form v=BIMI1; l=https://…; a=https://….",
  "bimi.correct_files":
    "Korrigieren Sie das Bild oder das Zertifikat. Empfänger zeigen ein Logo nur, wenn beide ihre Anforderungen erfüllen.",
  "bimi.enforce":
    "Setzen Sie die DMARC-Richtlinie auf quarantine oder reject, auch für Subdomains, und nicht im Testmodus (t=y).",

  "bimi.image": "Das Bild:",
  "bimi.certificate": "Das Zertifikat:",
  "bimi.not_available": "Es ist nicht verfügbar: {reason:lookup_failure}.",
  "bimi.not_fetched": "Der Abruf ist fehlgeschlagen: {reason:lookup_failure}.",

  "bimi.doctype": "Es hat einen Dokumenttyp (DOCTYPE).",
  "bimi.many_tags": "Es hat mehr als {count} Tags.",
  "bimi.xml_invalid": "Das XML ist ungültig: {detail}.",
  "bimi.xml_refused": "Das XML wird abgelehnt: {detail}.",
  "bimi.no_svg": "Es ist kein SVG: Das Wurzelelement ist nicht svg.",
  "bimi.instructions": "Es enthält Verarbeitungsanweisungen (<?…?>).",
  "bimi.large": "Es hat {count} Bytes. Manche Empfänger akzeptieren höchstens {most}.",
  "bimi.base_profile": "Das Attribut baseProfile ist nicht „tiny-ps“.",
  "bimi.svg_version": "Das Attribut version ist nicht „1.2“.",
  "bimi.no_title": "Es hat keinen Titel.",
  "bimi.root_place": "Das Wurzelelement hat x oder y.",
  "bimi.element": "Es enthält das Element „{name}“.",
  "bimi.attribute": "Es enthält das Attribut „{name}“.",
  "bimi.external": "Es enthält einen externen Verweis: „{value}“.",
  "bimi.external_style": "Das Stylesheet enthält einen externen Verweis.",

  "bimi.no_pem": "Die Datei enthält kein Zertifikat im PEM-Format.",
  "bimi.no_mark": "Es ist kein Markenzertifikat (erweiterte Schlüsselverwendung).",
  "bimi.expired": "Es ist am {day} abgelaufen.",
  "bimi.not_yet_valid": "Es ist erst ab dem {day} gültig.",
  "bimi.expires": "Es läuft am {day} ab.",
  "bimi.authority_expired": "Das Zertifikat der Zertifizierungsstelle ({name}) ist am {day} abgelaufen.",
  "bimi.authority_not_yet_valid":
    "Das Zertifikat der Zertifizierungsstelle ({name}) ist erst ab dem {day} gültig.",
  "bimi.names": "Es gilt für {names},",
  "bimi.no_names": "Es gilt für keine Domain,",
  "bimi.not_for": "nicht für {domain}{end}",
  "bimi.or": "oder {domain}{end}",
  "bimi.self_signed": "Es ist selbstsigniert.",
  "bimi.authority_first":
    "Das erste Zertifikat gehört einer Zertifizierungsstelle. Das Markenzertifikat muss zuerst kommen.",
  "bimi.no_issuer": "Das Zertifikat der ausstellenden Zertifizierungsstelle folgt nicht darauf.",
  "bimi.no_logotype": "Es enthält kein Bild (logotype).",
  "bimi.embedded_unreadable": "Das eingebettete Bild ist nicht lesbar.",
  "bimi.embedded_digest": "Das eingebettete Bild passt nicht zu seiner Prüfsumme.",
  "bimi.embedded_differs": "Das eingebettete Bild unterscheidet sich vom Bild des Eintrags.",
};
