import type { Shortcut } from "../../parts/shortcuts.ts";
import type * as en from "../en/shell.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the frame of all pages, and of the sign-in pages.

export const common: Texts<typeof en.common> = {
  close: "Schließen",
  cancel: "Abbrechen",
  retry: "Erneut versuchen",
  loading: "Wird geladen",
  older: "Ältere",
  newest: "Neueste",
  any: "beliebig",
  copy: "Kopieren",
  copied: "Kopiert",
  showPassword: "Passwort anzeigen",
  email: "E-Mail-Adresse",
  password: "Passwort",
  skipToContent: "Zum Inhalt springen",
  details: "Details",
  asTable: "Als Tabelle",
  time: "Zeit",
  clearFilters: "Filter zurücksetzen",
  actions: "Aktionen",
  clear: (label: string) => `Zurücksetzen: ${label}`,
  up: "Nach oben",
  down: "Nach unten",
  remove: "Entfernen",
  moveUp: (name: string) => `Nach oben: ${name}`,
  moveDown: (name: string) => `Nach unten: ${name}`,
  removePart: (name: string) => `Entfernen: ${name}`,
};

export const problem: Texts<typeof en.problem> = {
  title: "Das konnte nicht geladen werden",
  forbidden: "Ihre Rolle erlaubt das nicht",
  notFound: "Das existiert nicht",
  network: "Hermod ist nicht erreichbar. Die Verbindung prüfen, dann erneut versuchen.",
  unreadable: (status: number) => `Die Antwort des Servers stammt nicht von Hermod (HTTP ${status}).`,
  trace: "Trace-ID",
  retryIn: (seconds: number) =>
    `In ${plural(seconds, { one: "Sekunde", other: "Sekunden" })} erneut versuchen.`,
};

export const shell: Texts<typeof en.shell> = {
  sections: "Bereiche",
  overview: "Übersicht",
  sending: "Versand",
  messages: "Nachrichten",
  sandbox: "Sandbox",
  suppressions: "Sperrliste",
  account: "Konto",
  requests: "Anfrage-Log",
  setUp: "Einrichtung",
  alerts: "Alarme",
  keys: "API-Schlüssel",
  domains: "Domains",
  openMenu: "Menü öffnen",
  searchHint: "Suchen oder gehen zu …",
  searchLabel: "Seiten, Nachrichten, Domains, Richtlinien, Vorlagen, API-Schlüssel und Aktionen suchen",
  pages: "Seiten",
  nothingFound: "Nichts gefunden",
  found: (count: number) => plural(count, { one: "Eintrag", other: "Einträge" }),
  searching: (lists: string) => `Suche läuft: ${lists}`,
  searchFailed: (list: string) => `${list}: Die Suche war nicht möglich.`,
  showAll: (list: string, text: string) => `${list}: alle zu „${text}“`,
  showKeys: "Tastenkürzel anzeigen",
  keyHelp: "Tastenkürzel",
  or: "oder",
  keyActions: {
    palette: "Seiten, Nachrichten, Domains, Richtlinien, Vorlagen, API-Schlüssel und Aktionen suchen",
    search: "Zum Suchfeld der Seite gehen oder Seiten und Aktionen suchen",
    help: "Diese Hilfe anzeigen",
    nextRow: "Nächste Zeile der Liste",
    previousRow: "Vorherige Zeile der Liste",
    openRow: "Zeile öffnen",
    selectRow: "Zeile auswählen",
    leaveRows: "Dialog schließen oder Auswahl aufheben",
    turnBack: "Frühere Woche oder früherer Monat eines Kalenders",
    turnOn: "Spätere Woche oder späterer Monat eines Kalenders",
    today: "Heute in einem Kalender",
  } satisfies Readonly<Record<Shortcut, string>>,
  singleKeys: "Tasten ohne Strg oder ⌘",
  singleKeysDetail: "Bei Spracheingabe ausschalten. Pfeiltasten, Enter und Esc bleiben aktiv.",
  timesIn: (zone: string) => `Zeiten in ${zone}`,
  user: (email: string) => `Benutzer ${email}`,
  switchAccount: (name: string) => `${name}: Konto wechseln`,
  theme: { light: "Hell", dark: "Dunkel", auto: "Wie das System" },
  colors: (name: string) => `Farben: ${name}`,
  signOut: "Abmelden",
  notEncrypted:
    "Diese Seite ist nicht verschlüsselt. Jeder zwischen Ihnen und dem Server kann Ihr Passwort lesen und Ihre Sitzung übernehmen.",
  pageNotFound: "Diese Seite existiert nicht",
  pageNotFoundDetail: "Die Adresse ist vielleicht falsch, oder die Seite wurde verschoben.",
  toOverview: "Zur Übersicht",
  crashed: "Die Seite hat einen Fehler",
  crashedDetail: "Der Fehler hat nichts geändert. Erneut versuchen oder zu einer anderen Seite gehen.",
  crashedReport:
    "Keine Anfrage ist fehlgeschlagen, deshalb gibt es keine Trace-ID. Tritt der Fehler wieder auf, diesen Bericht an den Betreiber der Installation senden:",
  report: "Bericht",
  reportPath: "Seite",
  reportTime: "Zeit",
  reportVersion: "Version",
  reportBrowser: "Browser",
  missingPart: "Ein Teil der Seite konnte nicht geladen werden",
  missingPartDetail:
    "Die Verbindung wurde unterbrochen, oder eine andere Version von Hermod hat diese ersetzt.",
  newVersion:
    "Eine neue Version von Hermod ist verfügbar. Die Seite neu laden, um sie zu verwenden. Nicht gespeicherte Eingaben gehen dabei verloren.",
  incomplete:
    "Ein Teil der Seite konnte nicht geladen werden. Die Seite neu laden, um es erneut zu versuchen. Nicht gespeicherte Eingaben gehen dabei verloren.",
  lost: "Hermod ist nicht erreichbar. Die Seite zeigt möglicherweise alte Daten.",
  nextTry: (seconds: number) =>
    `Nächster Versuch in ${plural(seconds, { one: "Sekunde", other: "Sekunden" })}.`,
  trying: "Wird versucht …",
  tryNow: "Jetzt versuchen",
  reload: "Neu laden",
};

export const session: Texts<typeof en.session> = {
  brand: "Hermod",
  signIn: "Anmelden",
  signInTo: "Bei Hermod anmelden",
  withPasskeyLabel: "Mit einem Passkey anmelden",
  withProviderNamed: (name: string) => `Mit ${name} anmelden`,
  providerFault: (code: string) =>
    `Die Anmeldung über den Anbieter ist fehlgeschlagen (${code}). Erneut versuchen.`,
  providerFaults: {
    "oidc.request_unknown":
      "Die Anmeldung hat länger als zehn Minuten gedauert oder in einem anderen Browser begonnen. Erneut versuchen.",
    "oidc.refused": "Der Anbieter hat die Anmeldung abgelehnt.",
    "oidc.unavailable": "Der Anbieter ist nicht erreichbar. In Kürze erneut versuchen.",
    "oidc.not_allowed":
      "Der Anbieter gewährt Ihnen keinen Zugang zu dieser Installation. Wenden Sie sich an einen Inhaber.",
    "oidc.link_required":
      "Es gibt bereits einen Benutzer mit Ihrer Adresse. Auf andere Weise anmelden, dann den Anbieter auf Ihrer Benutzerseite verknüpfen.",
    "oidc.linked_elsewhere": "Der Benutzer des Anbieters ist hier mit einem anderen Benutzer verknüpft.",
  } as Readonly<Record<string, string>>,
  forgot: "Passwort vergessen?",
  signUp: "Konto erstellen",
  secondFactor: "Zweiter Faktor",
  secondFactorDetail: "Mit einem Ihrer zweiten Faktoren fortfahren.",
  code: "Code",
  codeDetail: "Sechs Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode.",
  usePasskey: "Passkey verwenden",
  instead: {
    password: "Stattdessen Passwort verwenden",
    code: "Stattdessen Code verwenden",
    passkey: "Stattdessen Passkey verwenden",
  },
  goOn: "Weiter",
  firstPassword: "Passwort wählen",
  firstPasswordDetail: "Ihr Passwort ist ein Anfangspasswort. Ersetzen Sie es, um fortzufahren.",
  currentPassword: "Aktuelles Passwort",
  newPassword: "Neues Passwort",
  passwordRule: "Mindestens 12 Zeichen. Mehrere ungewöhnliche Wörter sind leicht zu merken.",
  setPassword: "Passwort festlegen",
  again: "Identität bestätigen",
  againDetail: "Diese Änderung erfordert einen Faktor, der in den letzten zehn Minuten verwendet wurde.",
  ended: "Ihre Sitzung ist beendet",
  endedDetail: "Erneut anmelden. Ihre Eingaben bleiben erhalten.",
  passkeyFailed: "Es wurde kein Passkey verwendet. Erneut versuchen oder eine andere Methode wählen.",
};

export const mailLinks: Texts<typeof en.mailLinks> = {
  resetTitle: "Neues Passwort",
  resetDetail: "Sie erhalten eine E-Mail mit einem Link, der einmal und 30 Minuten lang funktioniert.",
  sendMail: "E-Mail senden",
  resetSent:
    "Falls ein Benutzer diese Adresse hat, ist eine E-Mail unterwegs. Der Link darin funktioniert 30 Minuten lang.",
  resetChoose: (email: string) => `Für ${email}. Alle Ihre Sitzungen werden beendet.`,
  resetDone: "Das Passwort ist geändert. Ab jetzt gilt es für die Anmeldung.",
  signUpTitle: "Konto erstellen",
  signUpDetail:
    "Sie erhalten eine E-Mail mit einem Link, der Ihre Adresse bestätigt. Er funktioniert einen Tag lang.",
  signUpSent: "Eine E-Mail ist unterwegs. Der Link darin funktioniert einen Tag lang.",
  signUpClosed:
    "Die Registrierung ist hier geschlossen. Eine Einladung gibt es bei einem Inhaber eines Kontos oder beim Betreiber.",
  signUpChoose: (email: string) => `Ihre Adresse ${email} ist bestätigt.`,
  accountName: "Name Ihres Kontos",
  begin: "Konto erstellen",
  invitationTitle: "Ihre Einladung",
  invitationAsk:
    "Den Link der E-Mail erneut öffnen. Falls er nicht mehr funktioniert, um eine weitere Einladung bitten.",
  invited: (account: string, role: string) => `Sie sind zu ${account} mit der Rolle ${role} eingeladen.`,
  choosePassword: "Ein Passwort wählen, um beizutreten.",
  signInToJoin: (email: string) => `Als ${email} anmelden, um beizutreten.`,
  otherUser: (email: string) => `Sie sind als ${email} angemeldet. Diese Sitzung wird dadurch beendet.`,
  join: "Beitreten",
  changeTitle: "Ihre neue Adresse",
  changeAsk:
    "Den Link der E-Mail erneut öffnen. Falls er nicht mehr funktioniert, einen neuen auf Ihrer Benutzerseite anfordern.",
  changeDetail: (email: string) => `Ab jetzt melden Sie sich mit ${email} an.`,
  changeConfirm: "Adresse bestätigen",
  changeDone: (email: string) => `Ihre Adresse ist jetzt ${email}.`,
  toSignIn: "Zur Anmeldung",
  goOn: "Zum Dashboard",
  checking: "Der Link wird geprüft",
};

export const secret: Texts<typeof en.secret> = {
  once: "Jetzt speichern. Hermod kann es nicht erneut anzeigen.",
  stored: "Ich habe es gespeichert",
  done: "Fertig",
};
