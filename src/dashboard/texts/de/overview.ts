import type * as en from "../en/overview.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the overview.

export const overview: Texts<typeof en.overview> = {
  title: "Übersicht",
  period: "Zeitraum",
  periods: { "24h": "24 h", "7d": "7 Tage", "30d": "30 Tage" },
  compared: {
    "24h": "Die letzten 24 Stunden, verglichen mit den 24 Stunden davor.",
    "7d": "Die letzten 7 Tage, verglichen mit den 7 Tagen davor.",
    "30d": "Die letzten 30 Tage, verglichen mit den 30 Tagen davor.",
  },
  accepted: "Angenommen",
  delivered: "Zugestellt",
  bounced: "Unzustellbar",
  complaints: "Beschwerden",
  deferred: "Verzögert",
  deferredDetail: "Versuche, die wiederholt werden",
  captured: (count: number) => `${plural(count, { one: "Nachricht", other: "Nachrichten" })} in der Sandbox`,
  messages: (count: number) => plural(count, { one: "Nachricht", other: "Nachrichten" }),
  before: (count: number) => `${numberText(count)} im Zeitraum davor`,
  limit: (provider: string, rate: string) => `Limit von ${provider}: ${rate}`,
  byHour: "Nachrichten pro Stunde",
  byDay: "Nachrichten pro Tag",
  deliveredSeries: "zugestellt oder abgefangen",
  bouncedSeries: "unzustellbar",
  openPoint: (label: string) => `Angenommene Nachrichten: ${label}`,
  whereMailWent: "Wohin die E-Mails gingen",
  providers: {
    google: "Google",
    microsoft: "Microsoft",
    yahoo: "Yahoo",
    apple: "Apple",
  } as Readonly<Record<string, string>>,
  otherProviders: "Andere",
  by: "Zahlen nach",
  dimensions: {
    provider: "Anbieter",
    key: "API-Schlüssel",
    template: "Vorlage",
    sending_domain: "Absender-Domain",
  },
  opened: "Geöffnet",
  rates: "Quoten",
  complainedSeries: "Beschwerden",
  unsubscribedSeries: "abgemeldet",
  latency: "Zeit bis zur Zustellung",
  // Dates end in a dot, as in "27. Nov.".
  measuredSince: (at: string) => `Gemessen seit ${at}`,
  pointsOpen:
    "Ein Punkt öffnet die Nachrichten, die in seinem Zeitraum angenommen wurden. Die Diagramme zählen Ereignisse zu ihrer eigenen Zeit: Eine früher angenommene Nachricht steht deshalb nicht in dieser Liste.",
  queue: "Warteschlange",
  destination: "Ziel",
  waiting: "Wartend",
  oldest: "Älteste angenommen",
  nothingWaits: "Keine Nachricht wartet.",
  waitingNow: (waiting: number, scheduled: number) =>
    `${plural(waiting, { one: "Nachricht wartet", other: "Nachrichten warten" })}, ${numberText(scheduled)} geplant.`,
  otherWaiting: (count: number) =>
    `${plural(count, { one: "weitere Nachricht wartet", other: "weitere Nachrichten warten" })} für andere Ziele.`,
  partialQueue: "Es gibt zu viele Ziele, um alle zu zählen. Die Gesamtzahl ist genau.",
  noMail: "Keine E-Mails in diesem Zeitraum.",
  needsYou: "Hinweise",
  nothingNeedsYou: "Derzeit keine Hinweise.",
  domain: "Domain",
  key: "Schlüssel",
  about: (name: string, reason: string) => `${name}: ${reason}`,
  webhook: "Webhook",
  failingWebhook: (url: string, since: string) => `${url}: nichts angenommen seit ${since}`,
  disabledWebhook: (url: string) => `${url} ist deaktiviert: Der Endpunkt hat nichts angenommen`,
  expiringKey: (name: string, at: string) => `Ablauf von „${name}“: ${at}`,
  moreExpiring: (count: number) =>
    `${plural(count, { one: "weiterer Schlüssel läuft", other: "weitere Schlüssel laufen" })} bald ab`,
  held: "Angehaltene Warteschlange",
  heldQueue: (policy: string, destination: string) =>
    destination === ""
      ? `${policy}: alle Nachrichten warten`
      : `${policy}: Nachrichten an ${destination} warten`,
  moreHolds: (count: number) =>
    `${plural(count, { one: "weitere Warteschlange", other: "weitere Warteschlangen" })} angehalten`,
  moreDomains: "Weitere Domains sind nicht bestätigt",
  moreUnused: "Weitere Schlüssel wurden seit 30 Tagen nicht verwendet",
  unusedKey: (name: string) => `„${name}“ wurde seit 30 Tagen nicht verwendet`,
};
