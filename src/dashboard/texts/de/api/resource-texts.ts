import type { FaultReason } from "../../../../../contracts/common/fault-texts/fault-texts.ts";

const changeUsersFirst =
  "Ändern Sie diese zuerst, oder erzwingen Sie das Entfernen: Sie funktionieren dann nicht mehr. Es wurde nichts geändert.";

/** German texts of message, sender, policy and other resource faults, by reason. */
export const resourceReasons = {
  mail_address_octets_most: "E-Mails an diese Adresse dürfen höchstens {max} Byte haben.",
  message_more_than_octets_limit: "Die Nachricht ist größer als das Limit von {max} Byte.",
  message_octets_allowed: "Die Nachricht hat {actual} Byte. Höchstens {max} sind erlaubt.",
  field_control_character: "{name} enthält ein Steuerzeichen.",
  field_empty: "Das Feld {name} ist leer.",
  header_more_than_octets: "Der Header ist größer als {max} Byte.",
  header_octets_no_utf_8_all:
    "Der Header enthält Bytes, die kein UTF-8 sind. SMTPUTF8 erlaubt nur UTF-8 (RFC 6532).",
  line_header_no_field_no_name:
    "Eine Zeile des Headers ist weder ein Feld (Name und Doppelpunkt) noch die Fortsetzung eines Felds.",
  message_contains_cr_without_lf_lines: "Die Nachricht enthält ein CR ohne LF. Zeilen müssen mit CRLF enden.",
  message_contains_lf_without_cr_lines: "Die Nachricht enthält ein LF ohne CR. Zeilen müssen mit CRLF enden.",
  message_contains_nul: "Die Nachricht enthält ein NUL-Zeichen.",
  message_line_more_than_octets: "Die Nachricht hat eine Zeile mit mehr als {max} Byte.",
  message_more_than_header_fields: "Die Nachricht hat mehr als {max} Header-Felder.",
  message_names_too_many_senders: "Die Nachricht nennt zu viele Absender.",
  message_no_from_field: "Die Nachricht hat kein Feld From.",
  message_no_message_id_field_several: "Die Nachricht muss genau ein Feld Message-ID haben.",
  no_date_rfc_5322_section_3: "{name} ist kein Datum in der Form nach RFC 5322, Abschnitt 3.3.",
  several_fields: "Die Nachricht hat mehrere Felder {name}.",
  white_space_between_colon: "Zwischen {name} und dem Doppelpunkt ist kein Leerraum erlaubt.",
  message_here_before_passed_too_many:
    "Die Nachricht war schon hier oder ist durch zu viele Server gelaufen.",
  message_passed_servers_pass_runs_circles:
    "Die Nachricht ist durch {actual} Server gelaufen und erreicht damit das Limit von {max}. Sie läuft im Kreis.",
  not_verified_sender: "Der Absender ist nicht bestätigt.",
  idempotency_key_belongs_message_whose_sender:
    "Dieser Idempotency-Key gehört zu einer Nachricht mit einem Absender, den der API-Schlüssel nicht verwenden darf. Es wurde nichts gespeichert.",
  not_among_key_senders: "Der Absender steht nicht in der Absenderliste des Schlüssels.",
  no_sender: "{sender} ist kein Absender des Kontos.",
  mail_from: "MAIL FROM ist keine gültige Adresse. {detail}",
  no_default_policy_name_field:
    "Das Konto hat keine Standard-Routing-Richtlinie. Geben Sie eine in `routing_policy` an.",
  no_default_policy_name_header:
    "Das Konto hat keine Standard-Routing-Richtlinie. Geben Sie eine im Header X-Service-Policy an.",
  no_default_policy_name_one: "Das Konto hat keine Standard-Routing-Richtlinie. Geben Sie eine an.",
  no_policy_any_more: "Die Routing-Richtlinie „{name}“ existiert nicht mehr.",
  no_policy_of_header: "Die Routing-Richtlinie „{name}“ im Header X-Service-Policy existiert nicht.",
  no_default_policy: "Das Konto hat keine Standard-Routing-Richtlinie.",
  no_policy_version: "Die Routing-Richtlinie „{name}“ hat keine Version {version}.",
  holds_already: "Es sind bereits {max} Teile der Warteschlange angehalten. Geben Sie zuerst einige frei.",
  no_alert_target: "Das Alarmziel „{name}“ existiert nicht.",
  alert_target_used:
    "Das Alarmziel „{name}“ wird verwendet: {users}. Ändern Sie diese zuerst, oder erzwingen Sie das Entfernen: Sie benachrichtigen es dann nicht mehr. Es wurde nichts geändert.",
  alert_target_used_by_more:
    "Das Alarmziel „{name}“ wird verwendet: {users} und {count} weitere. Ändern Sie diese zuerst, oder erzwingen Sie das Entfernen: Sie benachrichtigen es dann nicht mehr. Es wurde nichts geändert.",
  client_used: `Der Client „{name}“ wird verwendet: {users}. ${changeUsersFirst}`,
  client_used_by_more: `Der Client „{name}“ wird verwendet: {users} und {count} weitere. ${changeUsersFirst}`,
  domain_used: `Die Domain {name} wird verwendet: {users}. ${changeUsersFirst}`,
  domain_used_by_more: `Die Domain {name} wird verwendet: {users} und {count} weitere. ${changeUsersFirst}`,
  on_call_schedule_used:
    "Der Bereitschaftsplan „{name}“ wird verwendet: {users}. Ändern Sie diese zuerst. Es wurde nichts geändert.",
  on_call_schedule_used_by_more:
    "Der Bereitschaftsplan „{name}“ wird verwendet: {users} und {count} weitere. Ändern Sie diese zuerst. Es wurde nichts geändert.",
  no_on_call_schedule: "Der Bereitschaftsplan „{name}“ existiert nicht.",
  policy_used: `Die Routing-Richtlinie „{name}“ wird verwendet: {users}. ${changeUsersFirst}`,
  policy_used_by_more: `Die Routing-Richtlinie „{name}“ wird verwendet: {users} und {count} weitere. ${changeUsersFirst}`,
  sender_used: `Der Absender {name} wird verwendet: {users}. ${changeUsersFirst}`,
  sender_used_by_more: `Der Absender {name} wird verwendet: {users} und {count} weitere. ${changeUsersFirst}`,
  template_used: `Die Vorlage „{name}“ wird verwendet: {users}. ${changeUsersFirst}`,
  template_used_by_more: `Die Vorlage „{name}“ wird verwendet: {users} und {count} weitere. ${changeUsersFirst}`,
  watched_domain_used: `Die überwachte Domain wird verwendet: {users}. ${changeUsersFirst}`,
  watched_domain_used_by_more: `Die überwachte Domain wird verwendet: {users} und {count} weitere. ${changeUsersFirst}`,
  webhook_used: `Der Webhook-Endpunkt {name} wird verwendet: {users}. ${changeUsersFirst}`,
  webhook_used_by_more: `Der Webhook-Endpunkt {name} wird verwendet: {users} und {count} weitere. ${changeUsersFirst}`,
  job_ended: "Der Auftrag {id} ist bereits beendet ({state}).",
  account_no_domain: "Das Konto hat keine Domain {name}.",
  domain_others_account_looked_just_now:
    "Die Domain oder andere Domains des Kontos wurden gerade erst geprüft. In {seconds} Sekunden erneut versuchen.",
  workspace_no_client_id_external_reference:
    "Der Arbeitsbereich hat keinen Client mit dieser ID, externen Referenz oder diesem Namen. Es wurde nichts geändert.",
  archived_client_has:
    "Der archivierte Client „{name}“ hat diesen Wert bereits ({field}). Es wurde nichts geändert.",
  client_has: "Der Client „{name}“ hat diesen Wert bereits ({field}). Es wurde nichts geändert.",
  client_archived_no_reports_mailed_about:
    "Der Client „{name}“ ist archiviert, deshalb werden keine Berichte über seine Domains gesendet. Stellen Sie ihn zuerst wieder her.",
  workspace_watches_already: "Der Arbeitsbereich überwacht {name} bereits. Es wurde nichts hinzugefügt.",
  workspace_watches_no_domain_name_id:
    "Der Arbeitsbereich überwacht keine Domain mit diesem Namen oder dieser ID. Es wurde nichts geändert.",
  domain_others_account_checked_just_now:
    "Die Domain oder andere Domains des Kontos wurden gerade erst geprüft. In {seconds} Sekunden erneut versuchen.",
  report_cancelled: "Der Auftrag des Berichts wurde abgebrochen. Erstellen Sie den Bericht erneut.",
  report_not_made: "Der Bericht konnte nicht erstellt werden. Erstellen Sie ihn erneut.",
  report_not_made_because:
    "Der Bericht konnte nicht erstellt werden ({code}): {detail} Erstellen Sie ihn erneut.",
  workspace_no_schedule_id_name:
    "Der Arbeitsbereich hat keinen Zeitplan mit dieser ID oder diesem Namen. Es wurde nichts geändert.",
  no_attachment: "Die Nachricht hat diesen Anhang nicht.",
  no_html_body: "Die Nachricht hat keinen HTML-Teil.",
  no_message: "Die Nachricht „{id}“ existiert nicht.",
  no_message_quarantine: "Die Nachricht „{id}“ ist nicht in Quarantäne.",
  sandbox_no_message: "Die Sandbox hat keine Nachricht „{id}“.",
  sandbox_no_message_id_cleared:
    "Die Sandbox hat keine Nachricht mit dieser ID. Vielleicht wurde sie entfernt.",
  body_message_cannot_read: "Der Inhalt der Nachricht {id} lässt sich nicht lesen: {detail}",
  stored_body_message_cannot_read:
    "Der gespeicherte Inhalt der Nachricht {id} lässt sich nicht lesen: {detail}.",
  stored_message_cannot_read: "Die gespeicherte Nachricht {id} lässt sich nicht lesen: {detail}.",
  body_kept_until: "Der Inhalt der Nachricht {id} ist nicht mehr gespeichert: Er wurde bis {at} aufbewahrt.",
  body_message_not_kept_any_more: "Der Inhalt der Nachricht {id} ist nicht mehr gespeichert.",
  body_removed_early:
    "Der Inhalt der Nachricht {id} ist nicht mehr gespeichert: Er wurde vor dem Ende der Aufbewahrung von Inhalten entfernt.",
  address_not_suppressed: "{address} ist für {scope} nicht gesperrt. Es wurde nichts geändert.",
  entry_ended: "Der Eintrag existiert nicht oder ist abgelaufen.",
  no_entry: "Der Eintrag existiert nicht. Es wurde nichts geändert.",
  domain_watched_no_more: "Die Domain wird nicht mehr überwacht.",
  nobody_reads_mail_postmaster_abuse_here:
    "Diese Installation nimmt keine E-Mails an postmaster und abuse an.",
  message_still_withdrawn_unless_attempt_under:
    "Die Nachricht {id} hat noch den Status {state}. Sie wird storniert, wenn nicht ein laufender Versuch sie zustellt.",
  first_keys_differ:
    "Die Cores haben verschiedene erste Schlüssel, {given} und {other}. Geben Sie allen dieselben HERMOD_SECRET_KEYS, und führen Sie diesen Befehl erneut aus.",
  mongodb_url: "MONGODB_URL lässt sich nicht verwenden: {detail}",
  not_all_encrypted:
    "Nicht alles ist mit dem ersten Schlüssel verschlüsselt. Erneut verschlüsselt: {documents}. Problem: {detail}.",
  not_all_encrypted_and_more:
    "Nicht alles ist mit dem ersten Schlüssel verschlüsselt. Erneut verschlüsselt: {documents}. Problem (und {count} weitere): {detail}.",
  rows_imported:
    "{detail} Vorher wurden {actual} von {max} Zeilen importiert. Importieren Sie die Datei erneut: Zeilen, die schon auf der Liste stehen, ändern sich nicht.",
} as const satisfies Partial<Record<FaultReason, string>>;
