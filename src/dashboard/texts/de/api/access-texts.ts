import type { FaultReason } from "../../../../../contracts/common/fault-texts/fault-texts.ts";

/** German texts of request and access faults, by reason. */
export const accessReasons = {
  body_empty: "Der Body ist leer.",
  body_not_json: "Der Body ist kein gültiges JSON.",
  body_not_json_at: "Der Body ist kein gültiges JSON ({detail}).",
  body_not_valid_utf_8: "Der Body ist kein gültiges UTF-8.",

  connect_proxies_none: "CONNECT ist nur für Proxys. Dieser Server ist kein Proxy.",
  no_http: "Die Anfrage ist nicht als HTTP/1.1 lesbar. Es wurde nichts gespeichert.",
  no_http_because: "Die Anfrage ist nicht als HTTP/1.1 lesbar ({detail}). Es wurde nichts gespeichert.",
  port_speaks_https_not_http:
    "Dieser Port spricht HTTPS, nicht HTTP. Es wurde nichts gespeichert. Ein Schlüssel, der mit der Anfrage kam, wurde unverschlüsselt übertragen: Ersetzen Sie ihn.",
  request_broken_off_before_end:
    "Der Client hat die Anfrage geschlossen, bevor sie vollständig war. Es wurde nichts gespeichert.",
  request_could_not_read_end:
    "Die Anfrage konnte nicht bis zum Ende gelesen werden. Es wurde nichts gespeichert.",

  header_not_valid: "Ein Header ist ungültig.",
  idempotency_key_1_255_visible_ascii:
    "Ein Idempotency-Key muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen. Es wurde nichts gespeichert.",
  no_host: "Die Anfrage muss einen Header Host haben.",
  request_names_one_host_but_authority:
    "Die Anfrage muss genau einen Host nennen, aber :authority und Host unterscheiden sich.",
  request_several_content_types: "Die Anfrage hat mehrere Header Content-Type. Senden Sie nur einen.",
  request_several_idempotency_keys_send_one:
    "Die Anfrage hat mehrere Header Idempotency-Key. Senden Sie nur einen. Es wurde nichts gespeichert.",
  several_hosts: "Die Anfrage darf nur einen Header Host haben.",

  link_not_made_here: "Dieser Link wurde nicht von dieser Installation erstellt.",
  no_target: "{target} existiert nicht.",
  path_cannot_decoded: "Der Pfad lässt sich nicht dekodieren.",

  methods: "{target} erlaubt {methods}, nicht {method}.",

  body_compressed_otherwise_encoded_send_without:
    "Der Body ist komprimiert oder anders kodiert. Senden Sie ihn unkodiert und ohne Content-Encoding.",

  alert_most_octets_one:
    "Ein Alarm darf höchstens {max} Byte haben. Dieser hat {actual}. Es wurde nichts gespeichert.",
  file_octets_most: "Eine Datei darf höchstens {max} Byte haben.",
  submission_more_than_octets_no_memory:
    "Die Einlieferung überschreitet {max} Byte: So viel Arbeitsspeicher hat dieser Prozess für Einlieferungen.",

  another_backup_under_way_wait_end: "Ein anderes Backup läuft. Warten Sie, bis es beendet ist.",
  backup_failed: "Das Backup ist fehlgeschlagen: {detail}",
  database_mongodb_mongodb_url_back_up:
    "Die Datenbank ist die MongoDB aus MONGODB_URL. Sichern Sie sie mit mongodump --oplog.",
  database_mongodb_mongodb_url_command_compact:
    "Die Datenbank ist die MongoDB aus MONGODB_URL. Verwenden Sie den Befehl compact von MongoDB.",
  database_stays: "Die Datenbank wurde nicht geändert: {detail}",
  fields_not_valid: "{count} Felder sind ungültig.",
  file_absolute_path: "Die Datei muss ein absoluter Pfad sein.",
  file_exists: "{existing} existiert bereits. Geben Sie eine andere Datei an.",
  hermod_runs_folder_stop_first: "Hermod läuft in diesem Ordner. Stoppen Sie es zuerst.",
  name_delivery_endpoint_all_wait:
    "Geben Sie eine Übermittlung an, oder verwenden Sie --endpoint für alle ausstehenden Übermittlungen eines Endpunkts. Es wurde nichts gesendet.",
  name_delivery_endpoint_many:
    "Geben Sie eine Übermittlung an, oder verwenden Sie --endpoint für viele. Es wurde nichts gesendet.",
  no_backup_file_under_way_core:
    "In diese Datei läuft kein Backup: Der Core wurde neu gestartet, oder ein anderer Core hat geantwortet.",

  deliverability_key_goes_into_header_x:
    "Ein Deliverability-Schlüssel wird nur im Header X-API-Key angenommen, nicht in Authorization oder in der URL, die in Logs steht. Es wurde nichts geändert.",
  no_bearer:
    "Die Anfrage hat keinen API-Schlüssel: Ihr Header Authorization ist nicht Bearer mit einem Schlüssel. Senden Sie „Authorization: Bearer <key>“ oder „X-API-Key: <key>“.",
  session_dashboard_does_not_open_send:
    "Eine Sitzung des Dashboards wird hier nicht angenommen. Senden Sie einen API-Schlüssel. POST /api/keys erstellt einen.",

  sending_key_password_not_right_key:
    "Der Sendeschlüssel oder sein Passwort ist falsch, oder der Schlüssel ist widerrufen.",

  key_ended: "Der Schlüssel ist abgelaufen: {at}.",
  key_superseded: "Der Schlüssel ist abgelaufen, nachdem ein anderer ihn ersetzt hatte: {at}.",

  key_kind: "Diese Operation erfordert einen Schlüssel der Art „{expected}“, nicht „{kind}“.",

  cancelling_job_needs_permission_beginning_did:
    "Das Abbrechen dieses Auftrags erfordert die Berechtigung {permission}, wie schon sein Start.",
  email_send_missing: "Ihre Rolle enthält email.send nicht. Es wurde nichts geändert.",
  messages_read_missing: "Ihre Rolle enthält messages.read nicht. Es wurde nichts geändert.",
  filter_needs_permission: "Der Filter without_second_factor erfordert die Berechtigung {permission}.",

  request_comes_from_elsewhere_sec_fetch:
    "Die Anfrage kommt von einer anderen Website (Sec-Fetch-Site: {site}). Es wurde nichts geändert.",
  request_comes_from_not_installation:
    "Die Anfrage kommt von {given} und nicht von dieser Installation. Es wurde nichts geändert.",
  request_says_neither_sec_fetch_site:
    "Die Anfrage nennt ihre Herkunft nicht: Sie hat weder Sec-Fetch-Site noch Origin. Es wurde nichts geändert.",

  key_scope_mode_does_not_include:
    "Die Berechtigungen des Schlüssels („{scope_mode}“) enthalten {scope} nicht.",

  key_from_address: "Der Schlüssel darf von {address} aus nicht verwendet werden.",
  key_from_unknown_address: "Der Schlüssel darf von einer unbekannten Adresse aus nicht verwendet werden.",

  log_installation_operator_alone: "Nur der Betreiber darf das Log der Installation lesen.",
  method_of_other_role: "Ein Aufrufer mit dem Token der Rolle „{role}“ darf {method} nicht aufrufen.",

  key_of_alert:
    "Dieser Idempotency-Key wurde mit einem anderen Body verwendet, für den Alarm {id}. Es wurde nichts gespeichert.",
  key_of_message:
    "Dieser Idempotency-Key wurde mit einem anderen Body verwendet, für die Nachricht {id}. Es wurde nichts gespeichert.",
  key_of_other_body:
    "Dieser Idempotency-Key wurde mit einem anderen Body verwendet. Es wurde nichts gespeichert.",

  heartbeat_pings:
    "Ein Heartbeat nimmt höchstens {max} Pings pro Minute an. Versuchen Sie es in {seconds} Sekunden erneut. Es wurde nichts gespeichert.",
  link_reads:
    "Der Link wurde innerhalb einer Minute {max}-mal gelesen. Versuchen Sie es in {seconds} Sekunden erneut.",
  domain_takes_reports_day_most_send:
    "Eine Domain nimmt höchstens {max} Berichte pro Tag an. Senden Sie den Bericht morgen erneut.",
  key_makes_reports_minute_most_ask:
    "Ein Schlüssel kann höchstens {max} Berichte pro Minute erzeugen. Versuchen Sie es in {seconds} Sekunden erneut. Es wurde nichts erstellt.",
  member_makes_reports_minute_most:
    "Ein Mitglied kann höchstens {max} Berichte pro Minute erzeugen. Versuchen Sie es in {seconds} Sekunden erneut. Es wurde nichts erstellt.",
  too_much_mail_address_within_hour:
    "Diese Adresse hat innerhalb der Stunde zu viele E-Mails erhalten. Versuchen Sie es später erneut.",

  octets_under_way:
    "Einlieferungen mit {actual} Byte sind in Arbeit, und diese Einlieferung würde das Limit überschreiten. Es wurde nichts gespeichert.",

  account_under_way:
    "Für dieses Konto sind bereits {max} Aufrufe dieser Art in Arbeit. Das ist das Limit. Warten Sie, bis einer davon beendet ist.",
  alerts_stored: "{detail} Bereits gespeicherte Alarme der Anfrage werden nicht doppelt gespeichert.",
  many_large_mails_coming_try_again: "Zu viele große E-Mails kommen an. Versuchen Sie es später erneut.",
  many_reports_being_read_send_again:
    "Zu viele Berichte werden gerade gelesen. Senden Sie den Bericht später erneut.",
  too_much_under_way:
    "Zu viele Einlieferungen sind in Arbeit, und für diese ist keine Kapazität frei. Es wurde nichts gespeichert.",
  under_way:
    "Bereits {max} Aufrufe dieser Art sind in Arbeit. Das ist das Limit. Warten Sie, bis einer davon beendet ist.",

  account_not_deleted: "Das Konto „{id}“ existiert nicht. Es wurde nichts geändert.",
  installation_several_accounts_name_one: "Diese Installation hat mehrere Konten. Geben Sie eines an.",
  no_account: "Das Konto {id} existiert nicht.",
  no_account_yet: "Es existiert noch kein Konto.",
  no_deletion:
    "Es wurde kein Konto „{id}“ gelöscht, oder der Nachweis der Löschung wird nicht mehr aufbewahrt.",

  you_no_session: "Sie haben keine Sitzung „{id}“. Es wurde nichts geändert.",
  no_user: "Der Benutzer {email} existiert nicht. Es wurde nichts geändert.",
  no_member: "„{user}“ ist kein Mitglied des Kontos. Es wurde nichts geändert.",
  member_already: "{email} gehört bereits zum Konto.",
  role_beyond_role:
    "Ihrer Rolle fehlen Berechtigungen, die die Rolle „{role}“ hat. Es wurde nichts geändert.",
  user_exists:
    "{email} hat hier bereits einen Benutzer. Melden Sie sich wie bisher an, und verknüpfen Sie den Anbieter. Es wurde nichts geändert.",
  invited_already:
    "{email} ist bereits eingeladen. Senden Sie die Einladung erneut, oder widerrufen Sie sie.",
  invited_address:
    "Die Einladung ist für {email}. Melden Sie sich mit dieser Adresse an. Es wurde nichts geändert.",
  sign_in_to_join: "Melden Sie sich als {email} an, um beizutreten. Es wurde nichts geändert.",

  base_url_missing:
    "Hermod kann keine eigenen E-Mails senden: HERMOD_BASE_URL ist nicht gesetzt. Der Betreiber kann dies auf dem Host erledigen (hermod user). Es wurde nichts geändert.",
  mail_from_missing:
    "Hermod kann keine eigenen E-Mails senden: HERMOD_MAIL_FROM ist nicht gesetzt. Der Betreiber kann dies auf dem Host erledigen (hermod user). Es wurde nichts geändert.",

  key_over: "Der Schlüssel ist abgelaufen. Es wurde nichts geändert.",
  key_revoked: "Der Schlüssel ist widerrufen. Es wurde nichts geändert.",
  key_rotated: "Der Schlüssel wurde bereits ersetzt. Es wurde nichts geändert.",
  no_key: "Der Schlüssel „{key}“ existiert nicht. Es wurde nichts geändert.",
  no_smtp_credential: "Die SMTP-Zugangsdaten „{id}“ existieren nicht.",

  open_streams: "Es sind bereits {max} Ereignis-Streams offen. Das ist das Limit. Schließen Sie einige.",

  password_guessed: "Das Passwort ist leicht zu erraten. Verwenden Sie mehrere ungewöhnliche Wörter.",
  password_guessed_as: "Das Passwort ist leicht zu erraten. Verwenden Sie mehrere ungewöhnliche Wörter.",
  password_at_least: "Das Passwort muss mindestens {min} Zeichen haben.",
} as const satisfies Partial<Record<FaultReason, string>>;
