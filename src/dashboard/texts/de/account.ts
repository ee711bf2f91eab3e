import type * as en from "../en/account.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the account's pages: members, roles, security, audit log, limits.

export const members: Texts<typeof en.members> = {
  title: "Mitglieder",
  detail: "Personen, die das Konto nutzen, und ihre Berechtigungen.",
  rolesLink: "Rollen und Berechtigungen",
  email: "Mitglied",
  role: "Rolle",
  joined: "Beigetreten",
  actions: "Aktionen",
  you: "Sie",
  lastOwner: "Letzter Inhaber",
  lastOwnerDetail:
    "Ein Konto behält mindestens einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.",
  beyond: "Hat mehr Berechtigungen als Sie",
  changeRole: "Rolle ändern",
  changeRoleOf: (email: string) => `Rolle von ${email} ändern`,
  changeRoleDetail: "Die neue Rolle gilt sofort, auch in offenen Sitzungen.",
  ownRoleDetail: "Dies ist Ihre eigene Rolle. Eine höhere Rolle können Sie sich nicht selbst zurückgeben.",
  save: "Speichern",
  remove: "Entfernen",
  removeOf: (email: string) => `${email} entfernen`,
  removeDetail:
    "Das Mitglied verliert sofort den Zugang, auch in offenen Sitzungen. Schlüssel, Domains und Richtlinien, die das Mitglied erstellt hat, bleiben bestehen und funktionieren weiter. Andere Konten des Benutzers ändern sich nicht.",
  removed: (email: string) => `${email} ist kein Mitglied mehr.`,
  leave: "Verlassen",
  invite: "Mitglied einladen",
  inviteDetail:
    "Die Person erhält eine E-Mail mit einem Link. Er funktioniert einmal, für diese Adresse, sieben Tage lang.",
  inviteAction: "Einladung senden",
  invited: (email: string) => `Eine Einladung an ${email} ist unterwegs.`,
  captured:
    "Hermod fängt hier seine eigenen E-Mails ab: Die Einladung liegt in der Sandbox des Betreibers, der ihren Link weitergeben kann.",
  noMail:
    "Hermod sendet hier keine eigenen E-Mails. Bitten Sie den Betreiber, den Benutzer anzulegen oder HERMOD_MAIL_FROM zu setzen.",
  beyondRole: "Mehr, als Ihre eigene Rolle erlaubt.",
  invitations: "Offene Einladungen",
  noInvitations: "Keine offenen Einladungen",
  invitationRow: (role: string, by: string) => (by === "" ? role : `${role}, eingeladen von ${by}`),
  expires: "Link gültig bis",
  resend: "Erneut senden",
  resendTo: (email: string) => `Erneut an ${email} senden`,
  resent: (email: string) =>
    `Ein neuer Link an ${email} ist unterwegs. Der bisherige Link funktioniert nicht mehr.`,
  revoke: "Widerrufen",
  revokeOf: (email: string) => `Einladung an ${email} widerrufen`,
  revokeDetail:
    "Der Link in der E-Mail funktioniert sofort nicht mehr. Sie können die Adresse erneut einladen.",
};

export const roles: Texts<typeof en.roles> = {
  title: "Rollen",
  detail: "Berechtigungen der Mitglieder in diesem Konto, nach Rolle.",
  permission: "Berechtigung",
  allowed: "erlaubt",
  refused: "nicht erlaubt",
  details: {
    owner: "Alles, auch das Exportieren und Löschen des Kontos.",
    admin: "Alles außer dem Exportieren und Löschen des Kontos.",
    developer:
      "Richtet das Senden ein: Schlüssel, Domains, Richtlinien, Vorlagen, Webhooks. Liest E-Mails mit ihrem Inhalt.",
    support:
      "Findet Nachrichten, storniert sie, sendet sie erneut und ändert die Sperrliste. Liest keine Inhalte von E-Mails.",
    viewer: "Sieht alles außer dem Inhalt von E-Mails und dem Audit-Log. Ändert nichts.",
  } as Readonly<Record<string, string>>,
};

export const security: Texts<typeof en.security> = {
  title: "Sicherheit",
  detail: "So weisen Mitglieder ihre Identität nach.",
  factor: "Zweiter Faktor der Mitglieder",
  required: "Pflicht für alle Mitglieder",
  optional: "Jedes Mitglied entscheidet selbst",
  requiredDetail: "Ein Mitglied ohne zweiten Faktor kann in diesem Konto nur einen einrichten, sonst nichts.",
  optionalDetail:
    "Ein Passwort allein verschafft einem Mitglied ohne zweiten Faktor Zugang zu diesem Konto. Eine Person, die es kennt, kann in Ihrem Namen E-Mails senden.",
  require: "Zweiten Faktor verlangen",
  allow: "Zweiten Faktor freistellen",
  requireDetail:
    "Ab sofort kann ein Mitglied ohne zweiten Faktor in diesem Konto nur noch einen einrichten. Anfragen offener Sitzungen ohne zweiten Faktor werden sofort abgelehnt. Programme mit API-Schlüsseln laufen weiter.",
  members: (count: string) =>
    count === "1" ? "Das gilt für 1 Mitglied." : `Das gilt für alle ${count} Mitglieder.`,
  informThem:
    "Informieren Sie die Mitglieder vorher: Jedes braucht eine Authenticator-App oder einen Passkey.",
  allowDetail: "Mitglieder können sich dann allein mit einem Passwort in diesem Konto anmelden.",
  ownMissing:
    "Richten Sie zuerst selbst einen zweiten Faktor ein. Nur ein Mitglied, das einen verwendet hat, kann ihn von anderen verlangen.",
  ownNotShown:
    "Sie haben einen zweiten Faktor, haben ihn in dieser Sitzung aber nicht verwendet. Melden Sie sich ab und mit dem zweiten Faktor wieder an.",
  toOwn: "Eigenen zweiten Faktor einrichten",
  keys: "Schlüssel von Programmen",
  keysDetail:
    "API-Schlüssel und SMTP-Zugangsdaten brauchen keinen zweiten Faktor. Begrenzen Sie sie nach Adresse, Absender und Berechtigung.",
  log: "Anmeldungen und Änderungen",
  logDetail:
    "Das Audit-Log enthält Anmeldungen, abgelehnte Versuche und jede Änderung, mit Adresse und Zeit.",
  openKeys: "Schlüssel anzeigen",
  openLog: "Anmeldungen anzeigen",
  related: "Schlüssel und Log",
};

export const audit: Texts<typeof en.audit> = {
  title: "Audit-Log",
  detail:
    "Änderungen, Ablehnungen, Lesezugriffe auf E-Mails und Exporte, mit dem Mitglied oder Programm, das sie ausgelöst hat.",
  action: "Aktion",
  resources: {
    account: "Konto",
    alert_rule: "Alarmregeln",
    alert_target: "Alarmziele",
    audit: "Audit-Log",
    client: "Clients",
    domain: "Domains",
    erasure: "Löschungen",
    factor: "Zweite Faktoren",
    heartbeat: "Heartbeats",
    incident: "Vorfälle",
    inhibition: "Unterdrückungen",
    invitation: "Einladungen",
    job: "Aufträge",
    key: "Schlüssel",
    member: "Mitglieder",
    message: "Nachrichten",
    on_call_override: "Vertretungen",
    on_call_schedule: "Bereitschaftspläne",
    policy: "Routing-Richtlinien",
    quarantine: "Quarantäne",
    queue: "Warteschlange",
    report: "Berichte",
    sandbox: "Sandbox",
    schedule: "Zeitpläne für Berichte",
    sender: "Absender",
    session: "Sitzungen",
    silence: "Stummschaltungen",
    suppression: "Sperren",
    template: "Vorlagen",
    user: "Benutzer",
    watched_domain: "Überwachte Domains",
    webhook: "Webhooks",
    workspace: "Arbeitsbereiche",
  } as Readonly<Record<string, string>>,
  actor: "Von",
  actorKinds: {
    operator: "Betreiber",
    user: "Mitglied",
    key: "Schlüssel",
    recipient: "Empfänger",
    system: "Hermod",
    front_end: "Frontend",
    worker: "Worker",
    stranger: "Ohne Sitzung",
  } as Readonly<Record<string, string>>,
  target: "Ziel",
  targetHint: "ID des Ziels",
  outcome: "Ergebnis",
  outcomes: { changed: "Geändert", read: "Gelesen", refused: "Abgelehnt" } as Readonly<
    Record<string, string>
  >,
  from: "IP-Adresse",
  at: "Zeit",
  empty: "Noch keine Einträge",
  emptyFiltered: "Kein Eintrag passt zu diesen Filtern",
  onlyAction: "Nur diese Aktion",
  onlyActor: "Nur von diesem Akteur",
  onlyTarget: "Nur dieses Ziel",
  changes: "Geänderte Felder",
  noChanges: "Der Eintrag hat keine geänderten Felder.",
  before: "Vorher",
  after: "Nachher",
  none: "kein Wert",
  secret: "Geändert. Der Wert ist geheim und steht nicht im Log.",
  reason: "Grund",
  count: "Anzahl",
  counted: (count: number) => plural(count, { one: "Ablehnung", other: "Ablehnungen" }),
  since: "seit",
  client: "Programm",
  session: "Sitzung",
  trace: "Trace-ID",
  entry: "Eintrag",
  export: "Exportieren",
  exportWeek: "Die letzten 7 Tage als CSV",
  exportMonth: "Die letzten 30 Tage als CSV",
  exportShown: "Alle Einträge, die zu den Filtern passen, als CSV",
  exportAll: "Alle Einträge als CSV",
  exportDetail: "Das Log verzeichnet jeden Export.",
};

export const limits: Texts<typeof en.limits> = {
  title: "Limits und Nutzung",
  detail: "Ressourcen dieses Kontos und die Limits, die Hermod anwendet.",
  resources: "Ressourcen",
  resource: "Ressource",
  names: {
    senders: "Absender",
    domains: "Domains",
    policies: "Routing-Richtlinien",
    webhooks: "Webhook-Endpunkte",
    alert_rules: "Alarmregeln",
    workspaces: "Arbeitsbereiche",
  } as Readonly<Record<string, string>>,
  used: "Genutzt",
  limit: "Limit",
  share: "Anteil",
  shareOf: (name: string) => `${name}: genutzter Anteil`,
  rates: "Raten",
  noRates: "Diese Installation begrenzt keine Rate des Kontos.",
  rate: "Rate",
  rateNames: {
    account_sends: "E-Mails und Alarme aller Schlüssel und Mitglieder",
    account_reads: "Aufrufe von Schlüsseln, die lesen oder stornieren",
  } as Readonly<Record<string, string>>,
  perWindow: (count: string, seconds: number) =>
    seconds === 1 ? `${count} pro Sekunde` : `${count} in ${seconds} Sekunden`,
  now: "In diesem Zeitfenster",
  unknown: "nicht gezählt: mehrere Cores laufen",
  sizes: "Eine Nachricht",
  perKey: "Sendevorgänge eines Schlüssels",
  perSecond: (count: string) => `${count} pro Sekunde`,
  unlimited: "kein Limit",
  message: "Größe, für die Zustellung kodiert",
  body: "Größe von HTML und Text, jeweils",
  to: "Adressen in To",
  headers: "Eigene Header",
  attachments: "Anhänge",
  sendAt: "Im Voraus planbar",
  days: (count: number) => plural(count, { one: "Tag", other: "Tage" }),
  smtpRecipients: "Empfänger einer SMTP-Einlieferung",
  request: "Body einer Anfrage mit API-Schlüssel",
  providers: "Raten der Anbieter",
  providersDetail:
    "Anteile, ab denen große Anbieter beginnen, Ihre E-Mails abzulehnen oder zu verzögern. Die Anbieter veröffentlichen diese Raten.",
  provider: "Anbieter",
  providerNames: { gmail: "Gmail", yahoo: "Yahoo", outlook: "Outlook", ses: "Amazon SES" } as Readonly<
    Record<string, string>
  >,
  measure: "Messgröße",
  measures: { complaints: "Beschwerden", bounces: "Dauerhaft unzustellbar" } as Readonly<
    Record<string, string>
  >,
  levels: { target: "Darunter bleiben", limit: "Greift ein ab" } as Readonly<Record<string, string>>,
  level: "Bedeutung",
  providerRate: "Rate",
  sourceOf: (provider: string) => `Seite von ${provider}`,
  ofInstallation: "Der Betreiber der Installation legt diese Limits fest.",
};
