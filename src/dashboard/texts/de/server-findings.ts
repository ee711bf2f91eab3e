import { htmlFindings } from "./server-html-findings.ts";

const size = "Gmail kürzt HTML ab 102 kB.";
const links = "Hermod prüft die Form der Links und Bilder und öffnet sie nicht.";
const dropped =
  "Die E-Mail verwendet Funktionen von HTML oder CSS, die einige große Mailprogramme entfernen.";
const signs = "Die E-Mail lässt sich zustellen, hat aber einige Merkmale, die Spamfilter werten.";

/** Summaries of the checks of captured mail, by kind and severity. The server's have figures too. */
export const checkSummaries = {
  "size.ok": `Die Größe liegt innerhalb der Limits großer Anbieter. ${size}`,
  "size.warning": `Die Größe ist nahe an einem Limit großer Anbieter oder über dem mancher Server. ${size}`,
  "size.problem": `Die Größe überschreitet ein Limit großer Anbieter. ${size}`,
  "links.ok": links,
  "links.info": links,
  "links.warning": links,
  "links.problem": links,
  "html.ok": "Die E-Mail verwendet keine Funktionen, die große Mailprogramme entfernen.",
  "html.info": dropped,
  "html.warning": dropped,
  "delivery.ok": "Die Authentifizierung ist eingerichtet, und die E-Mail hat keine Merkmale von Spam.",
  "delivery.info": signs,
  "delivery.warning": signs,
  "delivery.problem": "Anbieter lehnen diese E-Mail möglicherweise ab oder stufen sie als Spam ein.",
} as const satisfies Readonly<Record<string, string>>;

const record = (title: string) =>
  `${title} der Domain fehlt, weicht ab oder war nicht lesbar: siehe die Seite der Domain.`;

/** Findings of the checks of captured mail, by code. */
export const findings = {
  ...htmlFindings,
  "css.too_large":
    "Gmail entfernt Stylesheets über 16.384 Byte. Sie kürzen oder die Stile in Attribute verschieben.",
  "size.clipped":
    "Gmail zeigt die ersten 102 kB des HTML und verbirgt den Rest hinter einem Link, auch Abmeldelinks und Pixel. Das HTML kürzen.",
  "size.near_clipping":
    "Gmail blendet HTML über 102 kB aus, und diese E-Mail ist nahe am Limit. Das HTML kürzen.",
  "size.refused": "Gmail und Outlook lehnen E-Mails über 25 MB ab. Große Dateien verlinken.",
  "size.large": "Viele Server lehnen E-Mails über 10 MB ab. Große Dateien verlinken.",
  "link.empty": "Der Link hat kein Ziel: eine Adresse angeben.",
  "link.placeholder": "Die Adresse enthält einen nicht ausgefüllten Platzhalter einer Vorlage.",
  "link.scheme": "Nicht jedes Mailprogramm öffnet Links mit diesem Schema: https verwenden.",
  "link.relative": "Eine E-Mail hat keine eigene Adresse: den Link mit https:// und seinem Host schreiben.",
  "link.invalid": "Die Adresse ist fehlerhaft: korrigieren.",
  "link.private": "Empfänger erreichen diesen Host nicht: Er ist nicht öffentlich.",
  "link.ip_address": "Filter kennen Links zu IP-Adressen von Spam: einen Namen verwenden.",
  "link.credentials": "Die Adresse enthält einen Benutzernamen oder ein Passwort: entfernen.",
  "link.insecure": "Der Link ist nicht verschlüsselt, und Browser warnen davor: https verwenden.",
  "link.shortener": "Filter misstrauen verkürzten Links: direkt auf das Ziel verlinken.",
  "picture.empty": "Das Bild hat keine Adresse.",
  "picture.placeholder": "Die Adresse enthält einen nicht ausgefüllten Platzhalter einer Vorlage.",
  "picture.relative":
    "Empfänger können das Bild nicht laden: seine Adresse mit https:// und ihrem Host schreiben.",
  "picture.private": "Empfänger können das Bild nicht laden: Sein Host ist privat.",
  "picture.insecure": "Einige Mailprogramme laden keine Bilder ohne Verschlüsselung: https verwenden.",
  "picture.no_alt":
    "Das Bild hat keinen Alternativtext: Empfängern, die Bilder blockieren oder Screenreader verwenden, fehlt sein Inhalt.",
  "domain.unreadable": "Das Feld From hat keine lesbare Domain: Anbieter lehnen solche E-Mails ab.",
  "domain.unknown":
    "Die Domain ist keine Versanddomain des Kontos, deshalb kennt Hermod ihre Einträge für DKIM, SPF und DMARC nicht. Sie unter „Domains“ hinzufügen.",
  "domain.unverified":
    "Die Domain ist nicht bestätigt: E-Mails von ihr werden nicht gesendet, bis ihre Einträge veröffentlicht sind.",
  "content.no_unsubscribe":
    "Gmail und Yahoo verlangen bei Newslettern und anderen Massen-E-Mails die Abmeldung mit einem Klick. E-Mails, die eine einzelne Person angefordert hat, brauchen keine.",
  "content.no_one_click":
    "Die Abmeldung mit einem Klick braucht neben List-Unsubscribe auch List-Unsubscribe-Post. Gmail und Yahoo verlangen sie bei Massen-E-Mails.",
  "content.no_text": "Die E-Mail hat HTML und keinen Textteil, was Spamfilter werten. Einen Text hinzufügen.",
  "content.only_pictures":
    "Die E-Mail besteht aus Bildern mit kaum Text, wie Spam: ihre Nachricht als Text schreiben.",
  "content.empty": "Die E-Mail hat weder Text noch HTML.",
  "content.placeholder": "Der Text enthält einen nicht ausgefüllten Platzhalter einer Vorlage.",
  "content.dangerous_file":
    "Gmail und Outlook lehnen E-Mails mit Dateien dieses Typs ab: stattdessen auf die Datei verlinken.",
  "subject.empty": "Der Betreff ist leer, wie bei viel Spam.",
  "subject.placeholder": "Der Betreff enthält einen nicht ausgefüllten Platzhalter einer Vorlage.",
  "subject.capitals": "Ein Betreff in Großbuchstaben sieht nach Spam aus: ihn als Satz schreiben.",
  "subject.marks": "Wiederholte Satzzeichen im Betreff ähneln Spam: nur eines verwenden.",
  "subject.false_reply":
    "Der Betreff kennzeichnet die E-Mail als Antwort, aber sie ist keine: Filter werten das als Spam.",
  "link.mismatch":
    "Der Link zeigt eine andere Adresse, als er öffnet, wie bei Phishing: Wörter oder die Adresse selbst zeigen.",
  "authentication.dkim": record("Der DKIM-Eintrag"),
  "authentication.spf": record("Der SPF-Eintrag"),
  "authentication.dmarc": record("Der DMARC-Eintrag"),
  "authentication.return_path": record("Der Return-Path-Eintrag"),
  "subject.long":
    "Der Betreff ist lang: Listen zeigen etwa 40 Zeichen auf Smartphones und 70 auf Bildschirmen.",
} as const satisfies Readonly<Record<string, string>>;
