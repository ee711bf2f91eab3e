import type * as en from "../en/policies.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of routing policies: list, editor, explanation, versions and queue.

export const policies: Texts<typeof en.policies> = {
  title: "Routing-Richtlinien",
  detail:
    "Eine Richtlinie legt fest, wie Nachrichten Hermod verlassen: Server, erneute Versuche, Tempo und Quelladresse.",
  empty: "Noch keine Routing-Richtlinien",
  emptyDetail:
    "Erstellen Sie eine Richtlinie, um die Server zu wählen, über die Ihre E-Mails gesendet werden.",
  create: "Richtlinie erstellen",
  createDetail:
    "Neue Nachrichten verwenden die Richtlinie über ihren Namen oder, wenn sie der Standard ist, ohne Angabe eines Namens.",
  createAction: "Erstellen",
  name: "Name",
  nameDetail:
    "1 bis 100 Zeichen: a-z, 0-9, Punkt, Unterstrich und Bindestrich, mit einem Buchstaben oder einer Ziffer an beiden Enden.",
  transports: "Transporte",
  rules: "Regeln",
  storedBy: "Gespeichert von",
  owners: { account: "Mitglied", operator: "Betreiber" } as Readonly<Record<string, string>>,
  updated: "Gespeichert",
  isDefault: "Standard",
  held: "Angehalten",
  heldFor: (destinations: string) => `Angehalten: ${destinations}`,
  holdsUnknown: "Welche Richtlinien angehalten sind, konnte nicht geladen werden.",
  moreHolds: (count: number) =>
    `${plural(count, { one: "weitere Warteschlange ist angehalten", other: "weitere Warteschlangen sind angehalten" })}. Die Warteschlange jeder Richtlinie zeigt, was angehalten ist.`,
  noRules: "keine",
  ruleCount: (count: number) => plural(count, { one: "Regel", other: "Regeln" }),
  kinds: { smtp: "Relay", direct: "Direkt", sandbox: "Sandbox" } as Readonly<Record<string, string>>,
  kindDetails: {
    smtp: "Übergibt Nachrichten an einen anderen Mailserver.",
    direct: "Stellt an die Mailserver der Empfänger-Domain zu.",
    sandbox: "Fängt Nachrichten ab. Nichts wird gesendet.",
  } as Readonly<Record<string, string>>,
  relayBy: (servers: string) => `Relay ${servers}`,
  inOrder: (transports: readonly string[]) => transports.join(", dann "),
  unknownTransport: "Keine eindeutige Art von Transport",

  tabs: {
    settings: "Einstellungen",
    try: "Ausprobieren",
    versions: "Versionen",
    queue: "Warteschlange",
  },
  operatorOwned:
    "Der Betreiber hat diese Richtlinie gespeichert. Mitglieder können sie verwenden und ihre Warteschlange anhalten, sie aber nicht ändern. Um sie zu ändern, erstellen Sie eine Kopie mit einem anderen Namen.",
  mayNotChange: "Ihre Rolle darf diese Richtlinie sehen, aber nicht ändern.",
  makeDefault: "Als Standard festlegen",
  makeDefaultTitle: (name: string) => `„${name}“ als Standard festlegen`,
  makeDefaultDetail:
    "Nachrichten ohne Angabe einer Richtlinie verwenden ab jetzt diese Richtlinie statt des bisherigen Standards.",
  duplicate: "Als neue Richtlinie kopieren",
  more: "Mehr",
  remove: "Löschen",
  removeDefault: "Löschen: beim Standard nicht möglich",
  removeTitle: (name: string) => `„${name}“ löschen`,
  removeDetail:
    "Neue Nachrichten können die Richtlinie nicht mehr verwenden. Wartende Nachrichten verwenden sie weiterhin, mit den jetzigen Einstellungen. Um sie anders zu senden, erstellen Sie eine Richtlinie mit demselben Namen. Um sie nicht zu senden, stornieren Sie die Nachrichten.",
  removed: (name: string) => `„${name}“ wurde gelöscht`,
  waitingUntil: (at: string) =>
    `Wartende Nachrichten können die Richtlinie bis ${at} verwenden. Keine Nachricht wartet länger.`,
  isDeleted: "Die Richtlinie ist gelöscht. Wartende Nachrichten verwenden sie weiterhin.",
  toQueue: "Wartende Nachrichten anzeigen",
  toList: "Zur Liste",
  save: "Speichern",
  saved: "Die Richtlinie ist gespeichert. Sie gilt sofort, auch für wartende Nachrichten.",
  saveDetail: "Eine Änderung gilt sofort, auch für wartende Nachrichten. Nur deren Priorität bleibt.",
  leaveDetail: "Ihre Änderungen an dieser Richtlinie sind nicht gespeichert.",

  addTransport: "Transport hinzufügen",
  addRule: "Regel hinzufügen",
  addServer: "Server hinzufügen",
  transport: (number: number) => `Transport ${number}`,
  rule: (number: number) => `Regel ${number}`,
  server: (number: number) => `Server ${number}`,
  transportsDetail:
    "Für Empfänger, auf die keine Regel zutrifft, in der Reihenfolge der Versuche. Hermod verwendet den nächsten, wenn der vorherige nicht erreichbar ist.",
  rulesDetail:
    "Andere Transporte für einzelne Domains. Es gilt die erste Regel mit der Domain des Empfängers, und nur ihre Transporte werden verwendet.",
  domains: "Domains der Empfänger",
  domainsDetail: "*.example.com umfasst jede Subdomain von example.com, aber nicht example.com selbst.",
  kind: "Art",
  host: "Hostname oder IP-Adresse",
  port: "Port",
  tls: "TLS",
  relayTls: {
    required: "Erforderlich: STARTTLS, sonst keine Zustellung",
    implicit: "Implizit: TLS von Beginn an",
    opportunistic: "Opportunistisch: TLS, wenn der Server es anbietet",
    none: "Ohne: Klartext",
  } as Readonly<Record<string, string>>,
  directTls: {
    opportunistic: "Opportunistisch: TLS, wenn der Server es anbietet",
    required: "Erforderlich: TLS mit beliebigem Zertifikat",
    verified: "Geprüft: TLS mit gültigem Zertifikat",
  } as Readonly<Record<string, string>>,
  username: "Benutzername",
  usernameDetail: "Leer: Hermod meldet sich nicht an.",
  password: "Passwort",
  passwordDetail:
    "Hermod zeigt es nie an. Leer: Das gespeicherte Passwort bleibt, wenn Benutzername und Server gleich bleiben und TLS nicht schwächer wird.",
  maxConnections: "Maximale Anzahl der Verbindungen",
  connectionsDetail: (standard: number) => `Zu jedem Server. Leer: ${standard}.`,
  dkim: "DKIM-Signaturen",
  dkimUses: {
    standard: "Standard: RSA für Amazon SES, sonst beide",
    both: "Beide: RSA und Ed25519",
    rsa: "RSA",
    ed25519: "Ed25519",
    none: "Keine",
  } as Readonly<Record<string, string>>,
  delivery: "Zustellung",
  waits: "Wartezeiten zwischen den Versuchen, in Sekunden",
  waitsDetail: "Die letzte Wartezeit wiederholt sich. Leer: der Zeitplan von Hermod.",
  waitsShown: (waits: string) =>
    `Nach jedem fehlgeschlagenen Versuch: ${waits}. Die letzte Wartezeit wiederholt sich.`,
  maxAge: "Maximales Alter, in Sekunden",
  maxAgeDetail: "Ab dem Zeitpunkt, zu dem eine Nachricht fällig war. Leer: die Einstellung der Installation.",
  maxAgeShown: (span: string) => `Hermod gibt nach ${span} auf.`,
  priority: "Priorität",
  priorities: {
    transactional: "Transaktional: vor dem Massenversand gesendet",
    bulk: "Massenversand",
  } as Readonly<Record<string, string>>,
  concurrency: "Gleichzeitige Zustellungen",
  perMinute: "Nachrichten pro Minute",
  limitsDetail: "An einen E-Mail-Anbieter. Leer: kein Limit.",
  source: "Quelle",
  address: "IPv4-Adresse",
  address6: "IPv6-Adresse",
  heloName: "Hostname für EHLO",
  sourceDetail: "Leer: Das Betriebssystem wählt.",
  heloDetail: "Leer: der Name der Installation.",
  headers: "Header und Tracking",
  listUnsubscribe: "List-Unsubscribe-Header für die Abmeldung mit einem Klick hinzufügen",
  opens: "Öffnungen erfassen",
  clicks: "Klicks erfassen",
  jsonDetail:
    "Dieselben Einstellungen wie im Formular. Ein neues Passwort ist Teil des JSON, bis es gespeichert ist.",

  tryTarget: "Empfängeradresse oder Nachrichten-ID",
  tryTargetDetail:
    "Hermod erklärt die Route nach denselben Regeln wie bei einer Zustellung. Hermod verbindet sich mit keinem Server und sendet nichts.",
  tryLookUp: "Server der Domain im DNS abfragen",
  tryAction: "Erklären",
  stored: "Gespeicherte Richtlinie",
  unsaved: "Ungespeicherte Richtlinie",
  nothingUnsaved:
    "Die Einstellungen haben keine ungespeicherten Änderungen. Ändern Sie sie zuerst, um beide Stände zu vergleichen.",
  differs: "Abweichend",
  sameAnswer: "Beide Richtlinien ergeben dieselbe Antwort.",
  differences: (count: number) =>
    `${plural(count, { one: "Teil unterscheidet sich", other: "Teile unterscheiden sich" })} zwischen der gespeicherten und der ungespeicherten Richtlinie.`,
  explained: {
    rule: "Regel",
    limits: "Limits",
    retry: "Erneute Versuche",
    priority: "Priorität",
    source: "Quelle",
    list_unsubscribe: "List-Unsubscribe",
    tracking: "Tracking",
    suppression: "Sperre",
  } as Readonly<Record<string, string>>,
  notUsed: "Nicht verwendet.",
  expiresAfter: (span: string) => `Gibt nach ${span} auf.`,
  foundHost: (exchange: string, preference: number, addresses: string) =>
    `${exchange} (Präferenz ${preference}): ${addresses || "keine Adresse"}.`,
  unusable: (servers: string) => `Nicht nutzbar: ${servers}.`,
  otherPolicy: (policy: string) =>
    `Die Nachricht verwendet die Richtlinie ${policy}. Die Antwort unten gilt für die Richtlinie dieser Seite und denselben Empfänger.`,
  lastAttempt: "Letzter Versuch der Nachricht",
  attempt: (number: number, at: string) => `Versuch ${number}, ${at}`,
  itsRule: "Damalige Regel",

  restoreDetail:
    "Speichert den Inhalt der Version als neue Version. Sie gilt sofort, auch für wartende Nachrichten. Relays behalten ihre jetzigen Passwörter, wenn Server und Benutzername gleich sind, sonst erhalten sie die der Version. Der Standard bleibt.",

  queue: "Wartende Nachrichten",
  waiting: (count: number) => plural(count, { one: "Nachricht wartet", other: "Nachrichten warten" }),
  scheduled: (count: number) =>
    plural(count, { one: "weitere Nachricht ist geplant", other: "weitere Nachrichten sind geplant" }),
  oldest: "Älteste",
  oldestSince: "Die älteste wurde angenommen:",
  destination: "Ziel",
  count: "Wartend",
  nothingWaits: "Keine Nachricht wartet.",
  otherWaiting: (count: number) =>
    `${plural(count, { one: "weitere Nachricht wartet", other: "weitere Nachrichten warten" })} für andere Ziele.`,
  partial: "Die Zählung nach Ziel ist unvollständig. Die Gesamtzahl ist genau.",
  queueHeld: "Die Warteschlange ist angehalten. Nachrichten werden angenommen und warten.",
  queueOpen: "Die Warteschlange ist nicht als Ganzes angehalten.",
  holds: "Angehalten",
  noHolds: "Keine Nachrichten dieser Richtlinie sind angehalten",
  noHoldsDetail:
    "Halten Sie die Warteschlange an, wenn ihre Server ein Problem haben. Hermod nimmt Nachrichten weiterhin an, und sie warten.",
  allDestinations: "Alle Ziele",
  reason: "Grund",
  reasonDetail: "Für Ihr Team: 1 bis 200 Zeichen.",
  heldBy: "Angehalten von",
  heldAt: "Seit",
  ofOperator: "Nur der Betreiber kann freigeben",
  hold: "Warteschlange anhalten",
  holdOne: "Anhalten",
  holdFor: (destination: string) => `Anhalten: ${destination}`,
  holdDestination: "Ziel",
  holdDestinationDetail: "Domain der Empfänger. Leer: alle Nachrichten der Richtlinie.",
  holdDetail:
    "Hermod nimmt Nachrichten weiterhin an, beginnt aber bis zur Freigabe keinen Versuch. Worker folgen innerhalb von zwei Sekunden, und laufende Versuche werden abgeschlossen. Das Anhalten endet nicht von selbst. Eine Nachricht, die bei der Freigabe älter als ihr maximales Alter ist, hat noch einen Versuch.",
  release: "Freigeben",
  releaseFor: (destination: string) => `Freigeben: ${destination}`,
  releaseTitle: (destination: string) => `${destination} freigeben`,
  releaseDetail:
    "Fällige Nachrichten werden innerhalb der Limits ihrer Ziele gesendet. Für eine Nachricht, die ihr maximales Alter überschritten hat, gibt es noch einen Versuch.",
};
