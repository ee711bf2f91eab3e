import type { policySentences as english } from "../../../../../contracts/common/sentences/policy-sentences.ts";
import { invalidFieldReasons } from "./invalid-field-texts.ts";

/** Reasons in the explanation of a routing policy, by code. */
export const policySentences: Readonly<Record<keyof typeof english, string>> = {
  "transport.first": "Wird zuerst versucht.",
  "transport.later": "Wird versucht, wenn die vorigen nicht erreichbar sind.",
  "transport.sandbox": "Die Nachricht wird im Sandbox-Posteingang abgefangen und nicht gesendet.",
  "transport.dkim": "Nachrichten erhalten {use:dkim_use}, wie in der Richtlinie festgelegt.",
  "transport.dkim_refused":
    "Nachrichten erhalten {use:dkim_use}, wie in der Richtlinie festgelegt; {provider} lehnt zwei Signaturen ab.",
  "transport.dkim_provider": "Nachrichten erhalten {use:dkim_use}, weil {provider} zwei Signaturen ablehnt.",

  "relay.one": "Das Relay wird verwendet.",
  "relay.one_public":
    "Das Relay wird nur unter öffentlichen Adressen verwendet, weil ein Mitglied die Richtlinie gespeichert hat.",
  "relay.several": "Die Relays werden in dieser Reihenfolge versucht.",
  "relay.several_public":
    "Die Relays werden in dieser Reihenfolge versucht, nur unter öffentlichen Adressen, weil ein Mitglied die Richtlinie gespeichert hat.",
  "relay.tls_implicit": "TLS von Anfang an, mit einem Zertifikat für den Namen des Relays.",
  "relay.tls_required": "STARTTLS ist erforderlich, mit einem Zertifikat für den Namen des Relays.",
  "relay.tls_opportunistic":
    "STARTTLS mit beliebigem Zertifikat, wenn es angeboten wird und funktioniert; sonst Klartext.",
  "relay.tls_password": "STARTTLS mit beliebigem Zertifikat; nie Klartext, weil es ein Passwort gibt.",
  "relay.tls_none": "Kein TLS: Die Nachricht wird im Klartext gesendet.",

  "direct.servers": "Die Server von {domain} im DNS werden versucht, die mit der höchsten Präferenz zuerst.",
  "direct.tls_opportunistic":
    "TLS, wenn es angeboten wird und funktioniert, sonst Klartext, wenn die Domain nicht mehr verlangt.",
  "direct.tls_required":
    "TLS ist erforderlich, mit beliebigem Zertifikat, wenn die Domain nicht mehr verlangt.",
  "direct.tls_verified": "TLS ist erforderlich, mit einem Zertifikat für den Namen des Servers.",

  "query.mx": "Mailserver der Domain mit ihrer Präferenz.",
  "query.addresses": "Adressen jedes Servers. Ohne MX-Eintrag ist die Domain selbst der Server.",
  "query.tlsa": "Erforderliches Zertifikat des Servers (DANE), wenn DNSSEC seine Adressen schützt.",
  "query.mta_sts": "TLS-Richtlinie der Domain (MTA-STS). Wenn es eine gibt, wird sie über HTTPS abgerufen.",

  "route.implicit": "{domain} hat keinen MX-Eintrag, deshalb ist die Domain selbst der Server.",
  "route.one": "{domain} hat diesen Server.",
  "route.several": "{domain} hat diese Server.",
  "route.unknown": "Die Route ist derzeit unbekannt, und eine Zustellung würde verzögert: {detail}.",
  "route.none": "Die Nachricht wäre unzustellbar: {kind:no_route}.",
  "route.mta_sts_unknown":
    "Die Domain kündigt eine MTA-STS-Richtlinie an, die noch keine Zustellung abgerufen hat: Sie könnte mehr verlangen.",

  "host.refused": "Übersprungen: {detail}.",
  "host.opportunistic": "TLS, wenn es angeboten wird und funktioniert: Mehr wird nicht verlangt.",
  "host.required": "TLS ist erforderlich, mit beliebigem Zertifikat, verlangt von {asked_by:asker}.",
  "host.authority":
    "TLS ist erforderlich, mit einem Zertifikat einer vertrauenswürdigen Stelle, verlangt von {asked_by:asker}.",
  "host.dane":
    "TLS ist erforderlich, mit einem Zertifikat, das die TLSA-Einträge der Domain bestätigen, verlangt von {asked_by:asker}.",
  "host.authority_and_dane":
    "TLS ist erforderlich, mit einem Zertifikat einer vertrauenswürdigen Stelle, das auch die TLSA-Einträge der Domain bestätigen, verlangt von {asked_by:asker}.",

  "limits.concurrency":
    "Höchstens {max} gleichzeitige Zustellungen an {to:limited}, {origin:limit_origin}; weniger, solange die Server um ein langsameres Tempo bitten.",
  "limits.no_rate": "Nachrichten pro Minute sind nicht begrenzt.",
  "limits.rate": "Die Richtlinie erlaubt {max} Nachrichten pro Minute.",

  "retry.schedule":
    "Bis ein Server die Nachricht annimmt, wird sie nach dem Zeitplan {schedule:schedule} erneut versucht. Die letzte Wartezeit wiederholt sich, und jede verlängert sich zufällig um bis zu ein Zehntel.",
  "retry.expiry": "Die Nachricht läuft um {at} ab, {origin:age_origin}.",

  "priority.transactional": "Unter Last wird die Nachricht vor Massen-E-Mails gesendet.",
  "priority.bulk":
    "Unter Last werden Transaktions-E-Mails zuerst gesendet, aber Massen-E-Mails behalten einen Anteil.",

  "source.machine": "Der Rechner des Workers wählt die Quelladresse.",
  "source.addresses":
    "Verbindungen gehen von {addresses:and} aus. Ein Worker ohne diese Adresse verzögert die Nachricht.",
  "source.helo_default":
    "Der Name in EHLO ist HERMOD_HELO_NAME oder, wenn es nicht gesetzt ist, der Name des Rechners.",
  "source.helo": "Der Name in EHLO ist {name}.",

  "list_unsubscribe.off": "Die Richtlinie fügt List-Unsubscribe nicht hinzu.",
  "list_unsubscribe.deferred": "Die Nachricht würde verzögert.",
  "list_unsubscribe.no_base_url": invalidFieldReasons.list_unsubscribe_needs_base_url,
  "list_unsubscribe.no_https": invalidFieldReasons.list_unsubscribe_needs_https,
  "list_unsubscribe.on":
    "List-Unsubscribe mit einem Klick wird hinzugefügt, wenn die Nachricht kein eigenes List-Unsubscribe hat.",

  "tracking.off":
    "Die Richtlinie verfolgt keine Öffnungen oder Klicks. Eine Nachricht kann das selbst festlegen.",
  "tracking.without": "Die Nachricht würde ohne Tracking gesendet.",
  "tracking.no_base_url": invalidFieldReasons.tracking_needs_base_url,
  "tracking.no_https": invalidFieldReasons.tracking_needs_https,
  "tracking.on":
    "Im HTML werden {kinds:tracked} verfolgt, wenn die Nachricht nichts anderes festlegt und ihr Absender sie nicht signiert oder verschlüsselt hat.",

  "attempt.version_gone":
    "Hermod hat die Version der Richtlinie nicht mehr, die der Versuch verwendet hat. Es behält die neuesten {max} Versionen, und keine aus der Zeit vor dem ersten Release mit Versionen.",
  "attempt.version_current":
    "Der Versuch hat Version {version} der Richtlinie verwendet, die sich seitdem nicht geändert hat.",
  "attempt.version_former":
    "Der Versuch hat Version {version} der Richtlinie verwendet. Die Richtlinie hat sich seitdem geändert.",
};
