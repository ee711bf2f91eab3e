import type { FaultReason } from "../../../../../contracts/common/fault-texts/fault-texts.ts";

/** German texts of the code `field.invalid`, by reason. */
export const invalidFieldReasons = {
  until_after_from: "`until` muss nach `from` liegen.",
  overlap_until:
    "Ein anderer Schlüssel hat diesen ersetzt: `expires_at` darf höchstens {at} sein, 30 Tage danach.",
  a4_or_letter: "`paper` muss `a4` oder `letter` sein.",
  account_no_workspace: "Das Konto hat keinen Arbeitsbereich „{id}“.",
  address_give_name_domain: "Der Wert ist eine IP-Adresse. Geben Sie den Namen einer Domain an.",
  address_http_https_most_characters:
    "Der Wert muss eine HTTP- oder HTTPS-URL mit höchstens {max} Zeichen sein.",
  all_alone: "`all` lässt sich nicht mit einem Konto, einem Ziel oder einer Richtlinie kombinieren.",
  all_lists_item_each_request: "Jede Liste muss einen Eintrag für jede Anfrage haben.",
  anybody_register_names_below_give_one:
    "{given} ist ein öffentliches Suffix: Jeder kann Namen darunter registrieren. Geben Sie einen Namen darunter an.",
  at_most_actions: "Ein Filter hat höchstens {max} Aktionen.",
  at_most_characters_not: "Der Wert darf höchstens {max} Zeichen haben. Er hat {actual}.",
  at_most_levels: "Der Wert darf höchstens {max} Ebenen haben.",
  batch_1_requests: "Ein Stapel muss 1 bis {max} Anfragen haben.",
  beginning_future: "Der Beginn darf nicht in der Zukunft liegen.",
  boolean: "Der Wert muss true oder false sein.",
  characters_at_least: "Mindestens {min} Zeichen sind erforderlich.",
  characters_at_most: "Höchstens {max} Zeichen sind erlaubt.",
  color: "Der Wert muss eine Farbe wie #0b5394 sein.",
  condition_field:
    "Das Feld einer Bedingung muss eines dieser Felder sein: {allowed}, oder context.name mit höchstens {max} Namen.",
  control_character: "Der Wert darf kein Steuerzeichen enthalten.",
  cron_expression:
    "Der Wert muss ein Ausdruck aus fünf Cron-Feldern sein, etwa `5 2 * * *`, oder ein Name wie `@daily`, und einen nächsten Zeitpunkt haben.",
  cursor_earlier_answer_empty: "Der Wert muss der Cursor einer früheren Antwort oder leer sein.",
  cursor_says_where_begin_leave_out:
    "`from` lässt sich nicht mit einem Cursor kombinieren. Lassen Sie eines davon weg.",
  day_number_from_1_monday_7: "Ein Tag muss eine Zahl von 1 (Montag) bis 7 (Sonntag) sein.",
  day_of_month: "Der Tag muss von 1 bis 28 sein, denn diese Tage hat jeder Monat.",
  destination_domain: "`destination` muss eine Domain wie example.com sein: {detail}",
  detail_contains_control_character: "Das Detail darf kein Steuerzeichen enthalten.",
  data_or_data_set: "Geben Sie `data` oder `data_set` an, nicht beides.",
  data_set_name:
    "Der Name eines Datensatzes muss 1 bis {max} Zeichen haben, ohne Steuerzeichen und ohne Leerzeichen am Anfang oder Ende.",
  dimension_one_of: "Die Dimension muss eine von diesen sein: {allowed}.",
  does_not_go_group: "`one_incident` lässt sich nicht mit `group_by` kombinieren.",
  domain_does_not_bounce_mailboxes_do:
    "Eine Domain kann nicht den Grund `hard_bounce` haben: Unzustellbar sind nur Postfächer. Geben Sie einen anderen Grund an.",
  end_lie_ahead: "Das Ende muss in der Zukunft liegen.",
  end_lie_behind_beginning: "Das Ende muss nach dem Beginn liegen.",
  end_past: "Das Ende muss in der Zukunft liegen.",
  ends_after_begins_not_past: "Das Ende muss nach dem Beginn und in der Zukunft liegen.",
  ends_within_year: "Das Ende darf höchstens ein Jahr in der Zukunft liegen.",
  entries_at_least: "Die Mindestzahl der Einträge ist {min}.",
  entries_at_most: "Die Höchstzahl der Einträge ist {max}.",
  events_sent_over_https_alone: "Die URL muss HTTPS verwenden: Ereignisse werden nur über HTTPS gesendet.",
  fields_at_least: "Die Mindestzahl der Felder ist {min}.",
  fields_at_most: "Die Höchstzahl der Felder ist {max}.",
  finding_id_check_auth_dmarc_policy:
    "`finding` muss die ID einer Prüfung sein, zum Beispiel auth.dmarc.policy oder bl.spamcop.",
  give_address_domain_example_com_words:
    "Geben Sie eine Adresse an, eine Domain wie @example.com oder Wörter der Adresse mit Buchstaben oder Ziffern.",
  header_stands_twice: "Der Header kommt zweimal vor.",
  hermod_writes_header_belongs_connection:
    "Dieser Header ist reserviert: Hermod schreibt ihn, oder er gehört zur Verbindung.",
  hit_id: "Die ID eines Aufrufs muss 1 bis 40 Zeichen aus A-Z, a-z, 0-9, _ und - haben.",
  hour: "Die Stunde muss von 0 bis 23 sein.",
  ids_or_filter: "Geben Sie `ids` oder `filter` an, nicht beides.",
  inhibition_name:
    "Der Name einer Unterdrückung muss 1 bis 100 Zeichen aus a-z, 0-9, „.“, „_“ und „-“ haben und mit einem Buchstaben oder einer Ziffer beginnen und enden.",
  ip_address_public_internet: "Der Wert muss eine IP-Adresse des öffentlichen Internets sein.",
  ipv4_address_name_address: "{given} ist eine IPv4-Adresse. Geben Sie sie als „address“ an.",
  kind_one_of: "Die Art muss eine von diesen sein: {allowed}.",
  limit_least_1_without_one_leave: "Ein Limit muss mindestens 1 sein. Ohne Limit bleibt das Feld weg.",
  logo_damaged: "Das Logo ist kein vollständiges PNG, oder seine Daten sind beschädigt.",
  logo_form:
    "Das Logo muss ein PNG mit höchstens 8 Bit pro Kanal und ohne Interlacing sein. Speichern Sie es mit diesen Einstellungen erneut.",
  logo_pixels: "Das Logo muss auf jeder Seite 1 bis {max} Pixel haben.",
  logo_png:
    "Das Logo muss ein PNG sein. SVG wird nicht angenommen, weil es Skripte und Verweise auf andere Dateien enthalten kann.",
  logo_size: "Das Logo darf höchstens {max} KiB haben.",
  list_of_values: "Der Wert muss eine Liste von 1 bis {max} Werten sein.",
  list_unsubscribe_needs_base_url:
    "List-Unsubscribe erfordert HERMOD_BASE_URL: die https-URL, unter der Empfänger dieses Hermod erreichen.",
  list_unsubscribe_needs_https:
    "List-Unsubscribe erfordert eine https-URL als HERMOD_BASE_URL. Eine http-URL ist nur auf Loopback erlaubt, für Tests.",
  locale_en_en_region_en_gb:
    "`locale` muss `en` oder `en` mit einer Region sein, zum Beispiel `en-GB` oder `en-US`. Berichte gibt es nur auf Englisch.",
  max_age_range: "Das maximale Alter muss von 1 Minute (60 Sekunden) bis 14 Tage ({max} Sekunden) sein.",
  metadata_key_1_40_letters_digits:
    "Ein Schlüssel der Metadaten muss 1 bis 40 Zeichen aus Buchstaben, Ziffern, _ . und - haben.",
  moment_more_than_days_ahead: "Die Zeit darf höchstens {max} Tage in der Zukunft liegen.",
  moment_past: "Die Zeit darf nicht in der Vergangenheit liegen.",
  moment_rfc_3339_offset_2030_01:
    "Die Zeit muss nach RFC 3339 geschrieben sein, mit Abstand zu UTC, zum Beispiel 2030-01-02T09:00:00Z. Datum und Uhrzeit müssen existieren.",
  most_connections: "Die Zahl der Verbindungen darf höchstens {max} sein.",
  most_fields: "Höchstens {max} Felder sind erlaubt.",
  most_steps: "Höchstens {max} Schritte sind erlaubt.",
  most_values_counted_once: "Höchstens {max} Werte lassen sich zugleich zählen.",
  most_values_series_their_own: "`top` darf höchstens {max} sein: Mehr Werte erhalten keine eigene Reihe.",
  name_batch_1_characters: "Der Name eines Stapels muss 1 bis {max} Zeichen haben.",
  name_characters: "Ein Name muss 1 bis {max} Zeichen haben.",
  name_domain: "Der Wert muss der Name einer Domain sein.",
  name_domain_no_underscore: "Der Name einer Domain darf keinen Unterstrich enthalten.",
  names_kind_nobody_internet:
    "Der Name ist reserviert und gehört zu keiner Domain des öffentlichen Internets.",
  names_no_nul_character: "Namen im Wert dürfen kein NUL-Zeichen enthalten.",
  no_action: "„{given}“ ist keine Aktion. Aktionen gibt es für diese Ressourcen: {allowed}.",
  no_address_literal: "„{given}“ ist kein Adressliteral wie [192.0.2.1].",
  no_address_machine: "{given} kann nicht die Adresse eines Rechners sein ({other}).",
  no_domain_name: "„{given}“ ist kein Domainname: {detail}",
  no_data_set: "Die Vorlage hat keinen Datensatz „{name}“.",
  no_event: "Unbekanntes Ereignis „{given}“. Erlaubt sind: {allowed}.",
  no_field_alert: "Der Wert muss ein Feld eines Alarms sein.",
  no_host_name_address: "„{given}“ ist weder ein Hostname noch eine IP-Adresse.",
  no_id_incident: "Der Wert ist nicht die ID eines Vorfalls.",
  no_id_message: "Der Wert ist nicht die ID einer Nachricht.",
  no_ip_address_cidr_range: "„{given}“ ist weder eine IP-Adresse noch ein CIDR-Bereich.",
  no_ip_address_of_version: "„{given}“ ist keine IPv{version}-Adresse.",
  no_kind_key: "Unbekannte Art von Schlüssel.",
  no_name:
    "Ein Name muss 1 bis 100 Zeichen aus a-z, 0-9, „.“, „_“ und „-“ haben und mit einem Buchstaben oder einer Ziffer beginnen und enden.",
  no_name_header: "Der Wert ist kein gültiger Name eines Headers.",
  no_provider: "Unbekannter Anbieter.",
  no_server_listens_port_0: "Der Port darf nicht 0 sein.",
  no_time: "„{given}“ ist keine Zeit. Erlaubt sind 2030-01-02T09:00:00Z, 2030-01-02 oder Sekunden seit 1970.",
  no_type_events: "Unbekannter Ereignistyp.",
  no_url_https_shop_example_com: "Der Wert muss eine URL wie https://shop.example.com/hooks/mail sein.",
  no_target_id: "Der Wert muss die ID eines Alarmziels sein: `atg_` und 26 Zeichen.",
  nobody_mailed_first_name_recipients:
    "Eine Eskalation erfordert `recipients`, `on_call_schedules` oder `targets`, die zuerst benachrichtigt werden.",
  target_name:
    "Der Name eines Alarmziels muss 1 bis 100 Zeichen aus a-z, 0-9, „.“, „_“ und „-“ haben und mit einem Buchstaben oder einer Ziffer beginnen und enden.",
  none_of: "„{given}“ ist nicht erlaubt. Erlaubt sind: {allowed}.",
  not_valid_json: "Der Wert ist kein gültiges JSON.",
  notify_never_alone_some_success_failure:
    "NOTIFY muss `never` allein sein oder mindestens eines von `success`, `failure` und `delay`.",
  notify_or_drop: "`effect` muss `notify` oder `drop` sein.",
  nul_character: "{field} darf kein NUL-Zeichen enthalten.",
  on_call_layer_name:
    "Der Name einer Ebene muss 1 bis {max} Zeichen und keine Steuerzeichen haben und sich von denen der anderen Ebenen unterscheiden.",
  on_call_participant: "Ein Teilnehmer muss entweder `user_id` oder `address` haben.",
  on_call_range: "Der Zeitraum darf höchstens {max} Tage haben.",
  on_call_schedule_name:
    "Der Name eines Bereitschaftsplans muss 1 bis 100 Zeichen aus a-z, 0-9, „.“, „_“ und „-“ haben und mit einem Buchstaben oder einer Ziffer beginnen und enden.",
  on_call_time: "Die Zeit muss in den Jahren 2000 bis 2099 liegen.",
  on_call_swap_other: "Der Teilnehmer hat nicht während der ganzen Zeit Bereitschaft.",
  on_call_swap_overlap: "Die beiden Zeiten dürfen sich nicht überschneiden.",
  on_call_swap_same: "Zu beiden Zeiten hat derselbe Teilnehmer Bereitschaft.",
  on_call_swap_several: "Während der ganzen Zeit muss ein Teilnehmer Bereitschaft haben.",
  on_call_weekday_of_weeks: "`weekday` ist nur für Schichten mit der Einheit Woche erlaubt.",
  number: "Der Wert muss eine Zahl sein.",
  number_range: "Der Wert muss eine Zahl von {min} bis {max} sein.",
  number_up_to: "Der Wert muss eine Zahl von -{max} bis {max} sein.",
  one_value: "Der Wert muss ein einzelner Wert sein, keine Liste.",
  operators_of_field: "{name} lässt sich nur so vergleichen: {allowed}.",
  page_events_most: "Eine Seite darf höchstens {max} Ereignisse haben.",
  period_366_days_most: "Der Zeitraum darf höchstens 366 Tage lang sein.",
  period_begins_before_end: "Der Beginn des Zeitraums muss vor seinem Ende liegen.",
  period_ends_future_nothing_known: "Das Ende des Zeitraums darf nicht in der Zukunft liegen.",
  policy_name:
    "Der Name einer Richtlinie muss 1 bis 100 Zeichen aus a-z, 0-9, „.“, „_“ und „-“ haben und mit einem Buchstaben oder einer Ziffer beginnen und enden.",
  port_most_65535: "Der Port darf höchstens 65535 sein.",
  private_host: "{detail}.",
  query_address:
    "`{name}:` braucht eine Adresse, eine Domain wie `@example.com` oder Wörter mit einem Buchstaben oder einer Ziffer (Position {offset}, Länge {length}).",
  query_empty:
    "Die Suchanfrage braucht einen Buchstaben oder eine Ziffer (Position {offset}, Länge {length}).",
  query_meta:
    "`meta:` braucht einen Namen und einen Wert, zum Beispiel `meta:order=17` (Position {offset}, Länge {length}).",
  query_operator:
    "`{name}:` ist kein Operator. Erlaubt sind {allowed}. Um nach dem Text zu suchen, setzen Sie ihn in Anführungszeichen (Position {offset}, Länge {length}).",
  query_quote: "Das Anführungszeichen wird nicht geschlossen (Position {offset}, Länge {length}).",
  query_state: "`state:` muss einer dieser Werte sein: {allowed} (Position {offset}, Länge {length}).",
  query_subject_empty:
    "`subject:` braucht einen Buchstaben oder eine Ziffer (Position {offset}, Länge {length}).",
  query_value:
    "`{name}:` braucht einen Wert direkt nach dem Doppelpunkt (Position {offset}, Länge {length}).",
  query_words:
    "Die Suchanfrage hat zu viele Wörter. Ab hier ist das Limit überschritten (Position {offset}, Länge {length}).",
  quiet_hours_end_from_equal_24:
    "Ruhezeiten müssen enden. Ein Fenster mit gleichem `from` und `to` dauert 24 Stunden: Setzen Sie ein Ende vor dem nächsten Beginn.",
  recipients: "Die Liste muss {min} bis {max} Empfänger haben.",
  recipients_no_rule_what_policy_own:
    "„*“ ist nicht erlaubt. Für Empfänger, auf die keine Regel zutrifft, gelten die „transports“ der Richtlinie selbst.",
  retention_range:
    "Der Wert muss von 1 bis {max} sein, der Aufbewahrung dieser Installation. Ohne das Feld gilt diese Aufbewahrung.",
  return_content: "„{given}“ ist nicht erlaubt. Erlaubt sind full und headers.",
  role_one_of: "Die Rolle muss eine von diesen sein: {allowed}.",
  rule: "{detail}",
  rule_sends_no_mail: "Die Regel hat keine Empfänger und sendet daher keine E-Mail.",
  rule_name:
    "Der Name einer Regel muss 1 bis 100 Zeichen aus a-z, 0-9, „.“, „_“ und „-“ haben und mit einem Buchstaben oder einer Ziffer beginnen und enden.",
  silence_starts_within_year: "Der Beginn darf höchstens ein Jahr in der Zukunft liegen.",
  silence_never_in_effect: "Die Stummschaltung braucht ein Fenster zwischen ihrem Beginn und ihrem Ende.",
  silence_windows_end:
    "Zwischen wöchentlichen Fenstern muss Zeit liegen. Für eine Stummschaltung der ganzen Woche lassen Sie `weekly` weg und setzen `ends_at`.",
  say_why_1_characters: "`comment` muss den Grund in 1 bis {max} Zeichen nennen.",
  scope_one_of: "`scope` muss einer dieser Werte sein: {allowed}.",
  selector_alone_s1_without_domainkey_what:
    "Der Wert darf nur der Selektor sein, zum Beispiel s1, ohne ._domainkey und den Text danach.",
  servers_private: "{detail}: Nur eine Richtlinie des Betreibers darf diesen Server verwenden.",
  span_points_most_take_longer_step:
    "Ein Zeitraum darf höchstens {max} Punkte haben. Wählen Sie einen größeren Schritt oder einen kürzeren Zeitraum.",
  stands_already: "„{given}“ steht schon unter {pointer}.",
  status_class: "Der Status muss ein Code wie 422 oder eine Klasse wie 4xx sein.",
  step_one_of: "Der Schritt muss einer von diesen sein: {allowed}.",
  subject_found_words_letters_digits: "Ein Filter nach Betreff braucht Wörter mit Buchstaben oder Ziffern.",
  submission_id: "Der Wert muss `sub_` sein, gefolgt von den 26 Zeichen einer ID.",
  tag_1_64_letters_digits_spaces:
    "Ein Tag muss 1 bis 64 Zeichen aus Buchstaben, Ziffern, Leerzeichen, _ . : @ und - haben.",
  text: "Der Wert muss ein Text sein.",
  text_half_surrogate_pair_no_character:
    "Der Text enthält die Hälfte eines Surrogatpaars, die kein Zeichen ist.",
  text_most_characters: "Der Wert muss ein Text mit höchstens {max} Zeichen sein.",
  text_number_true_false_list_those:
    "Der Wert muss ein Text, eine Zahl, true oder false oder eine Liste davon sein.",
  text_of_characters: "Der Wert muss ein Text mit 1 bis {max} Zeichen sein.",
  test_to_recipients: "Der Aufrufer hat keine Adresse. Setzen Sie `to` auf `recipients`.",
  time_day_22_00: "Der Wert muss eine Uhrzeit wie 22:00 sein.",
  time_zone_europe_berlin: "Der Wert muss eine IANA-Zeitzone wie Europe/Berlin sein.",
  time_zone_iana_database_europe_berlin: "Der Wert muss eine IANA-Zeitzone wie Europe/Berlin sein.",
  time_zone_name_iana_list_europe: "Der Wert muss eine IANA-Zeitzone wie Europe/Berlin sein.",
  total_no_values_name_dimension: "Die Dimension `total` hat keine Werte. Wählen Sie eine andere Dimension.",
  trace_id: "Der Wert muss `sx_` sein, gefolgt von 26 Zeichen.",
  tracking_needs_base_url:
    "Tracking erfordert HERMOD_BASE_URL: die https-URL, unter der Empfänger dieses Hermod erreichen.",
  tracking_needs_https:
    "Tracking erfordert eine https-URL als HERMOD_BASE_URL. Eine http-URL ist nur auf Loopback erlaubt, für Tests.",
  transport_one_sandbox_smtp_direct: "Ein Transport muss `sandbox`, `smtp` oder `direct` sein.",
  up_characters_no_control_character: "Der Wert darf höchstens {max} Zeichen und keine Steuerzeichen haben.",
  url_no_fragment_here_would_not: "Die URL darf kein Fragment haben: Es würde nicht gesendet.",
  url_no_user_name_password_here:
    "Die URL darf weder Benutzernamen noch Passwort haben. Verwenden Sie einen Header.",
  value_1_visible_characters_ascii: "Ein Wert muss 1 bis {max} sichtbare ASCII-Zeichen haben.",
  value_at_least: "Der Wert muss mindestens {min} sein.",
  value_at_most: "Der Wert darf höchstens {max} sein.",
  value_does_not_form_openapi_document: "Der Wert hat nicht die Form, die das OpenAPI-Dokument vorschreibt.",
  value_multiple: "Der Wert muss ein Vielfaches von {actual} sein.",
  value_one_of: "Der Wert muss einer von diesen sein: {allowed}.",
  version_no_header: "Die Version hat keinen Header mit diesem Namen.",
  wait_range: "Eine Wartezeit muss von 1 Sekunde bis 7 Tage ({max} Sekunden) sein.",
  weekday: "Der Wochentag muss von 1 (Montag) bis 7 (Sonntag) sein.",
  what_dropped_told_nobody:
    "`notify` ist mit dem Effekt `drop` nicht erlaubt: Ein verworfener Alarm benachrichtigt keine Empfänger.",
  windows: "Die Liste muss 1 bis {max} Fenster haben.",
  yes_or_no: "`{field}` muss `yes` oder `no` sein.",
  field_from_1: "`{field}` muss von 1 bis {max} sein.",
  state_one_of: "Der Status muss einer von diesen sein: {allowed}.",
  anybody_register_names_below_give_own:
    "{given} ist ein öffentliches Suffix: Jeder kann Namen darunter registrieren. Geben Sie eine Domain an, die Ihnen gehört.",
  passkey_answer:
    "Die Antwort des Browsers ist ungültig oder kam nach mehr als fünf Minuten. Beginnen Sie erneut.",
  app_code:
    "Der Code ist nicht der, den die App jetzt zeigt. Prüfen Sie die Uhren der App und dieses Servers.",
  no_check: "Unbekannte Prüfung.",
  ends_ahead_within_year: "`until` muss in der Zukunft liegen, höchstens ein Jahr.",
  workspace_name_1_characters_no_control:
    "Der Name eines Arbeitsbereichs muss 1 bis {max} Zeichen und darf keine Steuerzeichen haben.",
  uses_up_to_days: "`days` darf höchstens {max} sein.",
  former_key_overlap: "Der bisherige Schlüssel darf höchstens {max} Sekunden (30 Tage) weiter gelten.",
  range_days_at_most: "Der Zeitraum darf höchstens {max} Tage umfassen.",
  range_rows_at_most:
    "Der Zeitraum hat mehr als {max} Zeilen mit Berichten. Wählen Sie einen kürzeren Zeitraum, einen Client oder eine Domain.",
  page_entries_at_most: "Eine Seite darf höchstens {max} Einträge haben.",
  page_token: "Ein Seiten-Token muss das `next_page_token` einer früheren Antwort sein.",
  field_one_of: "`{field}` muss einer dieser Werte sein: {allowed}.",
  link_verifies_address:
    "Ein Link kann nur eine Adresse bestätigen. Eine Domain wird durch ihre DNS-Einträge bestätigt.",
  password_present_one: "Das neue Passwort muss sich vom aktuellen unterscheiden.",
  dashboard_path:
    "Der Wert muss ein Pfad des Dashboards sein, zum Beispiel /messages, mit höchstens {max} Zeichen.",
  csv_nothing_to_import: "Keine Zeile der CSV-Datei kann importiert werden.",
  csv_nul: "Zeile {line} enthält ein NUL-Zeichen: Der Text ist keine CSV-Datei.",
  no_version_number:
    "„{given}“ ist keine Version. Erlaubt sind die Nummer einer Version, „draft“ und „published“.",
  address_present_one: "Die neue Adresse muss sich von der aktuellen unterscheiden.",
  former_secret_overlap: "Das bisherige Geheimnis darf höchstens {max} Sekunden (7 Tage) weiter gelten.",
  action_needs_it: "Das Feld ist für die Ereignisaktion `{kind}` erforderlich.",
  severity_list:
    "Der Wert muss eine Liste wie sev1:critical,error:warning,*:info sein, mit Schweregraden aus {allowed} und höchstens {max} Wörtern.",
  no_message_of_core: "{detail}",
  list_cursor: "Ein Cursor muss der `next_cursor` einer früheren Antwort sein.",
  csv_at: "{detail} (Zeile {line}). Es wurde nichts importiert.",
  csv: "{detail}. Es wurde nichts importiert.",
} as const satisfies Partial<Record<FaultReason, string>>;
