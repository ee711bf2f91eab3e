import type { SentenceCode } from "../../../../contracts/common/sentences/sentences.ts";
import { attemptSentences } from "./api/attempt-sentences.ts";
import { bimiSentences } from "./api/bimi-sentences.ts";
import { deliverySentences } from "./api/delivery-sentences.ts";
import { dkimSentences } from "./api/dkim-sentences.ts";
import { dmarcSentences } from "./api/dmarc-sentences.ts";
import { domainSentences } from "./api/domain-sentences.ts";
import { hostSentences } from "./api/host-sentences.ts";
import { incidentSentences } from "./api/incident-sentences.ts";
import { policySentences } from "./api/policy-sentences.ts";
import { spfSentences } from "./api/spf-sentences.ts";
import { transportSentences } from "./api/transport-sentences.ts";
import { zoneSentences } from "./api/zone-sentences.ts";
import { checkWords } from "./check-words.ts";
import { failureWords } from "./failure-words.ts";
import { transportFailures } from "./transport-words.ts";

// Results and reasons of the API in German.

const ofCodes: Readonly<Record<SentenceCode, string>> = {
  ...attemptSentences,
  ...domainSentences,
  ...deliverySentences,
  ...incidentSentences,
  ...policySentences,
  ...hostSentences,
  ...zoneSentences,
  ...spfSentences,
  ...dkimSentences,
  ...bimiSentences,
  ...dmarcSentences,
  ...transportSentences,
  "report.cancelled": "Der Auftrag des Berichts wurde abgebrochen.",
  "report.not_created": "Der Bericht konnte nicht erstellt werden.",
  "report.not_created_because": "Der Bericht konnte nicht erstellt werden ({code}): {detail}",
};

/** Words for values of params: `{name:table}`. */
const words = {
  ...failureWords,
  ...checkWords,
  lookup_failure: { ...transportFailures, ...checkWords.lookup_failure },
  and: {},
  alert_name: { "": "ein Alarm" },
  age_origin: {
    policy: "wie in der Richtlinie festgelegt",
    installation: "wie in HERMOD_MAX_AGE_HOURS festgelegt",
  },
  asker: {
    policy: "der Richtlinie",
    dane: "der Domain per DANE",
    mta_sts: "der Domain per MTA-STS",
    nobody: "niemandem",
  },
  dkim_use: {
    both: "je eine Signatur mit jedem DKIM-Schlüssel der Domain",
    rsa: "nur eine RSA-Signatur",
    ed25519: "nur eine Ed25519-Signatur",
    none: "keine DKIM-Signatur",
  },
  dmarc_effect: {
    none: "E-Mails, die nicht zur Domain passen, werden wie andere zugestellt",
    quarantine: "E-Mails, die nicht zur Domain passen, gelten als verdächtig",
    reject: "E-Mails, die nicht zur Domain passen, werden abgelehnt",
  },
  dns_failure: {
    timeout: "keine Antwort in der vorgesehenen Zeit",
    servfail: "ein Server meldet SERVFAIL",
    refused: "ein Server lehnt die Anfrage ab",
    other_rcode: "ein Server meldet einen Fehler",
    unreachable: "ein Server ist nicht erreichbar",
    malformed: "eine Antwort ist nicht lesbar",
    not_resolved: "die Anfrage führt zu keinem zuständigen Server",
    not_a_name: "der Name lässt sich nicht abfragen",
    no_server: "kein erreichbarer Server ist bekannt",
    budget: "zu viele Anfragen wären nötig",
  },
  limited: {
    relay: "dieses Relay",
    provider: "einen Mail-Anbieter",
    sandbox: "die Sandbox eines Workers",
  },
  limit_origin: {
    policy: "wie in der Richtlinie festgelegt",
    transport: "weil der Transport so viele Verbindungen hat",
    installation: "wie in HERMOD_DESTINATION_CONCURRENCY festgelegt",
    sandbox: "weil die Sandbox in die Datenbank dieser Installation schreibt",
  },
  no_route: {
    null_mx: "Die Domain nimmt keine E-Mails an",
    no_domain: "Die Domain existiert nicht",
    no_route: "Kein Server der Domain ist nutzbar",
  },
  own_alignment: {
    signature: "signiert mit ihrem DKIM-Schlüssel und deshalb passend",
    return_path: "mit einem Return-Path in derselben Organisation, aber ohne Signatur der Domain",
    nothing: "ohne Signatur und ohne Return-Path der Domain",
  },
  report_source: { other: "vielen anderen Adressen" },
  schedule: { policy: "der Richtlinie", installation: "von Hermod" },
  severity: { info: "Info", warning: "Warnung", critical: "kritisch" },
  hold: { silenced: "stummgeschaltet", inhibited: "unterdrückt", quiet_hours: "Ruhezeit" },
  spf_lost: {
    too_long: "der Eintrag hat mehr als 8192 Zeichen",
    no_record: "der Ausdruck verweist auf keinen SPF-Eintrag",
    unknown: "die Bedeutung ist unbekannt",
    ptr: "Empfänger müssen es nicht auswerten",
    open: "der Ausdruck erlaubt fast alle Absender",
  },
  suppressed: { recipient: "Der Empfänger", domain: "Die Domain des Empfängers" },
  suppression_reason: {
    hard_bounce: "unzustellbar",
    complaint: "Beschwerde",
    unsubscribe: "Abmeldung",
    manual: "von Hand hinzugefügt",
  },
  tracked: { opens: "Öffnungen", clicks: "Klicks" },
} as const;

export const sentences: {
  readonly and: string;
  readonly ofCodes: Readonly<Partial<Record<SentenceCode, string>>>;
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
} = { and: " und ", ofCodes, words };
