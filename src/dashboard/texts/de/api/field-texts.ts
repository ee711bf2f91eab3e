import type { FaultReason } from "../../../../../contracts/common/fault-texts/fault-texts.ts";

/** German texts of faults of fields that any operation can return, by reason. */
export const fieldReasons = {
  rule_or_name_needed: "Der Name oder die Einstellungen einer Regel sind erforderlich.",
  account_missing: "Das Konto fehlt. Geben Sie es an.",
  address_missing: "Mindestens eine Adresse ist erforderlich.",
  alert_needed: "Der Alarm ist erforderlich.",
  client_name: "Der Client braucht einen Namen.",
  domain_name_missing: "Der Name der Domain ist erforderlich.",
  endpoint_url: "Der Endpunkt braucht eine URL.",
  give_ids_filter_asks_something_nothing:
    "Geben Sie `ids` oder einen nicht leeren `filter` an. Ein leerer Filter wählt nicht alle Nachrichten aus.",
  give_ids_or_filter_of_domains:
    "Geben Sie entweder `ids` oder einen nicht leeren `filter` an. Ein leerer Filter wählt nicht alle Domains aus.",
  header_value_unknown:
    "Hermod kennt den Wert des Headers {name} für die URL der Version nicht. Geben Sie ihn in `headers` an.",
  least_one_condition_needed: "Mindestens eine Bedingung ist erforderlich.",
  least_one_html_text_template_needed:
    "`html`, `text` oder `template` ist erforderlich und darf nicht leer sein.",
  least_one_server_needed: "Mindestens ein Server ist erforderlich.",
  least_one_transport_needed: "Mindestens ein Transport ist erforderlich.",
  mail_needs_sender: "Für E-Mails an die Empfänger ist ein Absender erforderlich.",
  not_empty: "Der Wert darf nicht leer sein.",
  password_missing_none_stored_user_name:
    "Das Passwort ist erforderlich: Für diesen Benutzernamen bei diesen Servern ist keines gespeichert.",
  period_or_cron: "`period_seconds` oder `cron` ist erforderlich.",
  policy_needs_account:
    "`account_id` ist zusammen mit `policy` erforderlich: Eine Richtlinie gehört zu einem Konto.",
  restricted_key_needs_least_one_scope: "Ein eingeschränkter Schlüssel braucht mindestens einen Bereich.",
  rule_names_least_one_domain: "Die Regel muss mindestens eine Domain nennen.",
  say_when_they_came_trace_ids: "Geben Sie die Zeit der Anfragen an oder Trace-IDs, die sie enthalten.",
  schedule_least_one_wait: "Der Zeitplan der Versuche braucht mindestens eine Wartezeit.",
  schedule_name_1_characters_no_control:
    "Der Name eines Zeitplans muss 1 bis {max} Zeichen und darf keine Steuerzeichen haben.",
  scope_id: "Die ID ist erforderlich ({type}).",
  selection_missing: "Wählen Sie ein Konto, ein Ziel, eine Richtlinie eines Kontos oder `all`.",
  silence_end: "Eine Stummschaltung braucht ein Ende.",
  tag_character: "Ein Tag muss mindestens ein Zeichen haben.",
  weekly_or_monthly: "`cadence` muss `weekly` oder `monthly` sein.",
  workspace_no_contacts_say_whom_report:
    "Der Arbeitsbereich hat keine Kontakte. Geben Sie die Empfänger seines Berichts an.",
  account_name_missing: "Das Konto braucht einen Namen.",
  needed: "Das Feld ist erforderlich.",
  passkey_name: "Der Name eines Passkeys muss 1 bis {max} Zeichen haben.",
  template_no_sender: "`from` ist erforderlich, weil die Vorlage keinen Absender hat.",
  factor_needed: "Ein Faktor ist erforderlich.",
  csv_empty: "Die CSV-Datei ist leer.",
  csv_no_domains:
    "Die CSV-Datei hat keine Spalte mit Domains. Die erste Zeile muss eine von {allowed} nennen.",
  csv_no_addresses:
    "Die CSV-Datei hat keine Spalte mit Adressen. Die erste Zeile muss eine von {allowed} nennen.",
  filter_not_empty:
    "Geben Sie einen nicht leeren `filter` an. Ein leerer Filter wählt nicht alle Einträge aus.",
  no_webhook_of: "Der Body ist kein Webhook von {sender}: `alerts` muss eine nicht leere Liste sein.",
  revision_needed: "Die Revision der Ressource ist erforderlich.",
  form_field: "Der Body muss ein Formular mit dem Feld {given} sein.",
  account_missing_operator: "Das Konto ist erforderlich. Nur das Token des Betreibers darf es weglassen.",
  row_more_cells_than_first_row: "Die Zeile hat mehr Zellen, als die erste Zeile Spalten hat.",
  unknown_field: "Unbekanntes Feld „{key}“. Entfernen Sie es: Hermod ignoriert kein Feld stillschweigend.",
  severity_only_parameter: "Unbekannter Parameter. Nur `severity` ist erlaubt.",
  type: "Der Wert muss vom Typ {expected} sein.",
  type_object: "Der Wert muss vom Typ object sein.",
  type_string_or_strings: "Der Wert muss ein Text oder eine Liste von Texten sein.",
  named_up_to_characters: "`{name}` darf höchstens {max} Zeichen haben.",
  query_up_to_characters: "`query` darf höchstens {max} Zeichen haben.",
  description_most_characters: "Die Beschreibung darf höchstens {max} Zeichen haben.",
  detail_most_characters: "Das Detail darf höchstens {max} Zeichen haben.",
  data_sets_more_than_1_mb_together: "Die Datensätze einer Vorlage sind zusammen größer als 1 MB.",
  fallbacks_more_than_1_mb_together: "Die Ersatzwerte sind zusammen größer als 1 MB.",
  length_at_most: "Der Wert darf höchstens {max} Zeichen haben.",
  list_at_most: "Die Liste darf höchstens {max} Werte haben.",
  metadata_value_up_characters: "Ein Wert der Metadaten darf höchstens {max} Zeichen haben.",
  most_characters_looked: "Der Wert darf höchstens {max} Zeichen haben.",
  no_id: "Der Wert ist länger als jede ID.",
  octets_json_allowed: "Der Wert hat als JSON {actual} Byte. Höchstens {max} sind erlaubt.",
  part_too_large: "{field} hat {actual} Byte. Höchstens {max} sind erlaubt.",
  up_to_characters: "Der Wert darf höchstens {max} Zeichen haben.",
  url_most_characters: "Die URL darf höchstens {max} Zeichen haben.",
  field_at_most_characters: "`{field}` darf höchstens {max} Zeichen haben.",
  csv_octets: "Die CSV-Datei ist größer als {max} Byte. Importieren Sie sie in Teilen.",
  password_up_to: "Das Passwort darf höchstens {max} Zeichen haben.",
  addresses_at_most: "Höchstens {max} Adressen sind erlaubt, nicht {actual}.",
  addresses_of_call: "Höchstens {max} Adressen sind pro Aufruf erlaubt.",
  at_most: "Höchstens {max} Einträge sind erlaubt.",
  body_values:
    "Der Body darf höchstens {max} Werte haben. Dieses Feld enthält den ersten Wert über dem Limit.",
  conditions_at_most: "Höchstens {max} Bedingungen sind erlaubt.",
  endpoint_most_headers: "Ein Endpunkt darf höchstens {max} Header haben.",
  endpoint_names_most_them: "Höchstens {max} Einträge sind erlaubt.",
  give_most_ids_filter: "Höchstens {max} IDs sind erlaubt. Verwenden Sie für mehr einen Filter.",
  most_attachments_given: "Höchstens {max} Anhänge sind erlaubt.",
  most_entries_looked: "In einem Filter sind höchstens {max} Einträge der Metadaten erlaubt.",
  most_hits_once: "Höchstens {max} Aufrufe von Links oder Bildern sind pro Anfrage erlaubt.",
  most_metadata_keys_given: "Höchstens {max} Schlüssel der Metadaten sind erlaubt.",
  most_notices_once: "Höchstens {max} Mitteilungen sind pro Aufruf erlaubt.",
  most_rules: "Höchstens {max} Regeln sind erlaubt.",
  most_tags_given: "Höchstens {max} Tags sind erlaubt.",
  most_tags_looked: "In einem Filter sind höchstens {max} Tags erlaubt.",
  most_transports: "Höchstens {max} Transporte sind erlaubt.",
  most_values_allowed_one_too_many:
    "Höchstens {max} Werte sind erlaubt. Dieses Feld enthält den ersten Wert über dem Limit.",
  most_waits: "Höchstens {max} Wartezeiten sind erlaubt.",
  most_words_looked: "In einem Filter sind höchstens {max} Wörter erlaubt.",
  rules_name_domains_most: "Die Regeln nennen {actual} Domains. Höchstens {max} sind erlaubt.",
  template_data_sets: "Eine Vorlage darf höchstens {max} benannte Datensätze haben.",
  template_most_variables: "Eine Vorlage darf höchstens {max} Variablen haben.",
  alerts_of_call: "Ein Aufruf muss 1 bis {max} Alarme haben, nicht {actual}.",
  submission_recipients: "Eine Einlieferung darf höchstens {max} Empfänger haben.",
  rows_policies: "Die Zeilen nennen mehr als {max} Routing-Richtlinien. Importieren Sie sie in Teilen.",
  csv_rows: "Die CSV-Datei hat mehr als {max} Zeilen. Importieren Sie sie in Teilen.",
  too_many_values_or_levels: "Der Body hat zu viele Werte oder zu viele Ebenen.",
  body_levels:
    "Der Body darf höchstens {max} Ebenen von Objekten und Listen haben. Dieser Wert liegt eine Ebene tiefer.",
  most_levels_objects_lists_allowed_value:
    "Höchstens {max} Ebenen von Objekten und Listen sind erlaubt. Dieser Wert liegt eine Ebene tiefer.",
  key_stands_twice_object_two_meant:
    "Der Schlüssel steht zweimal in seinem Objekt, sein Wert ist deshalb nicht eindeutig. Senden Sie ihn einmal.",
  csv_columns: "Mehrere Spalten enthalten {field}: {columns}. Behalten Sie eine davon.",
  key_name_not_accepted_programs_take:
    "Ein Schlüssel mit diesem Namen ist nicht erlaubt: Viele Programme geben ihm eine besondere Bedeutung.",
  number_cannot_held_written_more_digits:
    "Die Zahl lässt sich nicht exakt speichern: Sie hat mehr Stellen, als ein Double fasst, oder ihr Betrag ist größer als 2^53 - 1. Senden Sie sie als Text.",
  alert_or_id: "Geben Sie `alert` oder `alert_id` an, nicht beides.",
  rule_or_name: "Geben Sie `rule` oder `name` an, nicht beides.",
  rule_or_rules: "Geben Sie `rule` oder `rules` an, nicht beides.",
  address_or_domain: "Filtern Sie nach einer Adresse oder nach einer Domain, nicht nach beiden.",
  bodies_kept_hermod_content_retention_days:
    "Das maximale Alter darf {max} Sekunden nicht überschreiten, denn Inhalte werden HERMOD_CONTENT_RETENTION_DAYS lang aufbewahrt.",
  credentials_not_sent_without_tls:
    "Zugangsdaten erfordern TLS. Schalten Sie TLS ein, oder entfernen Sie die Zugangsdaten.",
  domain_suppressed_all_mail_account_not:
    "Eine Domain lässt sich nur für alle E-Mails des Kontos sperren, nicht für eine einzelne Routing-Richtlinie.",
  entry_one_routing_policy_all_mail:
    "Ein Eintrag gilt für eine Routing-Richtlinie oder für alle E-Mails des Kontos. Wählen Sie nur eines davon.",
  id_stands_place_address_policy: "Verwenden Sie `id` ohne `address` und `policy`.",
  maximum_age_shorter_than_first_wait:
    "Das maximale Alter darf nicht kürzer sein als die erste Wartezeit. Sonst gäbe es keinen erneuten Versuch.",
  heartbeat_period_and_cron:
    "`period_seconds` lässt sich nicht mit `cron` kombinieren. Entfernen Sie eines davon.",
  heartbeat_zone_without_cron: "`timezone` gehört zu `cron`. Entfernen Sie es, oder verwenden Sie `cron`.",
  heartbeat_entity: "`entity_type` braucht `entity_id`.",
  monthly_report_day_month_no_weekday:
    "Ein monatlicher Bericht hat einen Tag des Monats. Entfernen Sie `weekday`.",
  no_template_use_data: "`template_data` erfordert `template`.",
  only_deliverability_key_belongs_workspace:
    "Nur ein Schlüssel für Deliverability Intel kann zu einem Arbeitsbereich gehören.",
  only_restricted_key_list_scopes: "Nur ein eingeschränkter Schlüssel kann eine Liste von Bereichen haben.",
  template_supplies_body_not_stand_beside:
    "Die Vorlage liefert den Inhalt. Entfernen Sie {field} oder die Vorlage.",
  username_password_belong_together: "`username` und `password` gehören zusammen: Geben Sie beide an.",
  wait_longer_than_hermod_max_age:
    "Die Wartezeit darf HERMOD_MAX_AGE_HOURS nicht überschreiten. Verkürzen Sie sie, oder setzen Sie `max_age_seconds`.",
  weekly_report_weekday_no_day_month: "Ein wöchentlicher Bericht hat einen Wochentag. Entfernen Sie `day`.",
  one_factor: "Geben Sie nur einen Faktor an.",
  message_or_recipient:
    "Geben Sie die ID einer Nachricht an oder einen Empfänger mit oder ohne Richtlinie, nicht beides.",
  policy_named_or_given:
    "Geben Sie den Namen einer gespeicherten Richtlinie oder eine Richtlinie an, nicht beides.",
} as const satisfies Partial<Record<FaultReason, string>>;
