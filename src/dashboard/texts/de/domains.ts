import type * as en from "../en/domains.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

export const domains: Texts<typeof en.domains> = {
  title: "Domains",
  detail: "Domains, von denen Sie senden. Jede wird durch DNS-Einträge bestätigt.",
  add: "Domain hinzufügen",
  name: "Domain",
  nameDetail: "Der Teil nach dem @ in Ihren Absenderadressen.",
  empty: "Noch keine Domains",
  emptyFiltered: "Keine passende Domain",
  searchHint: "Teil des Namens",
  emptyDetail:
    "Die Domain Ihrer Absenderadressen hinzufügen. Danach sind die DNS-Einträge zu sehen, die zu veröffentlichen sind.",
  status: "Status",
  statuses: {
    unverified: "Nicht bestätigt",
    verifying: "Einträge fehlen",
    verified: "Bestätigt",
    degraded: "Beeinträchtigt",
    failed: "Fehlgeschlagen",
  } as Readonly<Record<string, string>>,
  wrong: "Probleme",
  checked: "Letzte Prüfung",
  notChecked: "noch keine",
  neverChecked: "Noch nicht geprüft",
  maySend: "Von Adressen dieser Domain kann gesendet werden.",
  mayNotSend: "Von Adressen dieser Domain kann noch nicht gesendet werden.",
  publish: "Zu veröffentlichende Einträge",
  publishAt: (provider: string) =>
    `Diese Einträge bei ${provider} hinzufügen, wo die Zone der Domain bearbeitet wird.`,
  publishAnywhere: "Diese Einträge dort hinzufügen, wo die Zone der Domain bearbeitet wird.",
  others: "Andere Einträge",
  purposes: {
    ownership: "Inhaberschaft",
    dkim: "DKIM",
    return_path: "Return-Path",
    tracking: "Tracking",
    spf: "SPF",
    dmarc: "DMARC",
  } as Readonly<Record<string, string>>,
  required: "erforderlich",
  optional: "optional",
  outcomes: {
    right: "Gefunden",
    partial: "Auf einigen Servern",
    wrong: "Abweichend",
    missing: "Fehlt",
    unknown: "Unbekannt",
  } as Readonly<Record<string, string>>,
  recordName: (type: string) => `${type}-Eintrag, Name`,
  recordValue: "Wert",
  resolver: "Resolver",
  learned: "Stand",
  keys: "DKIM-Schlüssel",
  selector: "Selektor",
  algorithm: "Algorithmus",
  keyState: "Status",
  keyStates: {
    upcoming: "Eintrag veröffentlichen",
    signing: "Signiert",
    retired: "Abgelöst",
  } as Readonly<Record<string, string>>,
  signsFrom: "Signiert ab",
  check: "Jetzt prüfen",
  zoneFile: "Zonendatei",
  zoneFileDetail: "Alle Einträge in einer Datei, für DNS-Anbieter, die sie importieren.",
  download: "Herunterladen",
  more: "Mehr",
  rotate: "DKIM-Schlüssel erneuern",
  rotateDetail:
    "Erzeugt die nächsten DKIM-Schlüssel. Die aktuellen Schlüssel signieren, bis die neuen sie ablösen.",
  rotateAfter: "Neue Schlüssel lösen die aktuellen ab",
  rotateDelays: {
    "24": "in 24 Stunden",
    "48": "in 2 Tagen",
    "168": "in 7 Tagen",
    "720": "in 30 Tagen",
  } as Readonly<Record<string, string>>,
  rotation: "Erneuerung",
  rotationSteps: {
    created: "Die neuen Schlüssel sind erzeugt.",
    publish: (count: number) =>
      count === 0
        ? "Die Einträge der neuen Schlüssel sind veröffentlicht."
        : `Die Einträge der neuen Schlüssel veröffentlichen: ${count} ${count === 1 ? "fehlt" : "fehlen"}.`,
    signs: "Die neuen Schlüssel signieren ab",
    late: "Sie signieren dann auch, wenn sie nicht veröffentlicht sind: Empfänger würden keinen Schlüssel finden.",
    retired:
      "Die Einträge abgelöster Schlüssel eine Woche lang behalten: Empfänger prüfen damit E-Mails, die noch unterwegs sind.",
  },
  remove: "Entfernen",
  removeTitle: (name: string) => `${name} entfernen`,
  removeDetail:
    "Entfernt die Domain mit ihren DKIM-Schlüsseln. E-Mails von ihren Adressen werden abgelehnt. Wird die Domain wieder hinzugefügt, braucht sie neue Einträge.",
  usedBy: (count: number) =>
    `${plural(count, { one: "Ressource würde", other: "Ressourcen würden" })} nicht mehr funktionieren:`,
  removeAnyway: "Trotzdem entfernen",
  wanted: "Erwartet",
  found: (server: string) => server || "Resolver",
  noAnswerYet: "Noch nicht geprüft. Die erste Prüfung folgt innerhalb von zwei Minuten.",
  checking:
    "Hermod fragt die Nameserver der Domain und einen Resolver ab. Eine Prüfung dauert bis zu 20 Sekunden.",
  checkResult: (found: number, all: number) => `${found} von ${all} erforderlichen Einträgen gefunden.`,
  stillMissing: "Es fehlen noch:",
  nextCheck: "Nächste Prüfung",
  host: "DNS-Anbieter",
  hostFound: (provider: string) => `Die Nameserver gehören zu ${provider}.`,
  hosts: {
    cloudflare: "Cloudflare",
    route53: "Amazon Route 53",
    namecheap: "Namecheap",
    godaddy: "GoDaddy",
    google: "Google Cloud DNS",
    digitalocean: "DigitalOcean",
    hetzner: "Hetzner",
    other: "Ein anderer",
  } as Readonly<Record<string, string>>,
  hostHelp: {
    cloudflare:
      "Unter „DNS“, „Records“. Namen sind ohne die Zone angegeben. CNAME-Einträge auf „DNS only“ setzen: Ein Eintrag mit Proxy verbirgt sein Ziel.",
    route53:
      "In der „Hosted zone“. Die Konsole ergänzt den Namen um die Zone. Werte von TXT-Einträgen stehen in Anführungszeichen, in Teilen von höchstens 255 Zeichen: so kopieren, wie sie angezeigt werden.",
    namecheap:
      "Unter „Advanced DNS“. „Host“ ist der Name ohne die Zone, @ ist die Zone selbst. Ein Name mit der Zone enthielte sie doppelt.",
    godaddy: "Unter „DNS“, „Records“. „Name“ ist ohne die Zone, @ ist die Zone selbst.",
    google:
      "In der Zone. Die Konsole ergänzt den Namen um die Zone. Werte von TXT-Einträgen stehen in Anführungszeichen, in Teilen von höchstens 255 Zeichen: so kopieren, wie sie angezeigt werden.",
    digitalocean:
      "Unter „Networking“, „Domains“. „Hostname“ ist ohne die Zone, @ ist die Zone selbst. Ziele von CNAME-Einträgen enden mit einem Punkt.",
    hetzner: "In der DNS-Konsole. „Name“ ist ohne die Zone, @ ist die Zone selbst.",
    other:
      "Namen sind vollständig angegeben. Ergänzt Ihr Anbieter die Zone selbst, diesen Teil weglassen: Ein Name darf sie nicht doppelt enthalten.",
  } as Readonly<Record<string, string>>,
  zone: "Zone beim Anbieter",
  share: "Link für Kollegen",
  shareDetail:
    "Der Link zeigt diese Einträge und ihren Status, ohne Sitzung, und sonst nichts vom Konto. Ein neuer Link ersetzt den vorherigen.",
  shareDays: "Gültig für",
  shareDaysOf: (days: number) => plural(days, { one: "Tag", other: "Tage" }),
  shareCreate: "Link erstellen",
  shareLink: "Link",
  shareOnce: "Den Link jetzt kopieren: Hermod zeigt ihn nicht erneut an.",
  shareOpen: "Ein Link zeigt die Einträge bis",
  shareWithdraw: "Widerrufen",
  testSend: "Testnachricht senden",
  testSendDetail: (email: string) => `Sendet eine Nachricht von dieser Domain an ${email}.`,
  testSendFrom: "Absender",
  testSendSubject: (domain: string) => `Eine Testnachricht von ${domain}`,
  testSendText: (domain: string) => `E-Mails von ${domain} kommen an.`,
  testSent: "Status ansehen",
};

export const shared: Texts<typeof en.shared> = {
  title: (domain: string) => `DNS-Einträge von ${domain}`,
  detail:
    "Diese Einträge dort hinzufügen, wo die Zone der Domain bearbeitet wird. Hermod prüft sie automatisch und sendet E-Mails von der Domain, sobald die erforderlichen gefunden sind.",
  invalid: "Dieser Link funktioniert nicht",
  invalidDetail:
    "Er ist abgelaufen, wurde widerrufen oder ersetzt oder nicht vollständig kopiert. Einen neuen gibt es bei der Person, die ihn gesendet hat.",
  expires: "Ablauf des Links:",
  reload: "Neuesten Stand anzeigen",
  print: "Drucken",
  done: "Alle erforderlichen Einträge sind gefunden. Es ist nichts mehr zu tun.",
};

export const senders: Texts<typeof en.senders> = {
  title: "Absender",
  detail:
    "Adressen, von denen E-Mails gesendet werden können. Ganze Domains werden durch ihre DNS-Einträge bestätigt.",
  add: "Adresse bestätigen",
  sender: "Absender",
  address: "E-Mail-Adresse",
  addDetail: "Hermod sendet einen Bestätigungslink an die Adresse. Der Link ist 24 Stunden gültig.",
  sendLink: "Link senden",
  state: "Status",
  states: { verified: "Bestätigt", pending: "Wartet auf Bestätigung" } as Readonly<Record<string, string>>,
  expired: "Link abgelaufen",
  by: "Bestätigt durch",
  bys: { operator: "Betreiber", link: "Link per E-Mail" } as Readonly<Record<string, string>>,
  since: "Seit",
  linkUntil: "Link gültig bis",
  searchHint: "Teil der Adresse",
  keys: "Schlüssel, die ihn verwenden dürfen",
  allKeys: "alle Schlüssel",
  noKeys: "keine",
  otherKeys: "und andere",
  empty: "Noch keine Absender",
  emptyDetail:
    "Eine Adresse bestätigen oder ihre ganze Domain hinzufügen: E-Mails einer Domain werden signiert.",
  emptyFiltered: "Kein passender Absender",
  actions: "Aktionen",
  resend: "Neuen Link senden",
  resent: (value: string) => `Ein Link wurde per E-Mail an ${value} gesendet.`,
  remove: "Entfernen",
  removeTitle: (value: string) => `${value} entfernen`,
  removeDetail: "E-Mails von diesem Absender werden ab jetzt abgelehnt, außer seine Domain ist bestätigt.",
};
