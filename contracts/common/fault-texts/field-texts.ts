/** Texts of faults of fields that any operation may have, by code and reason. */
export const fieldTexts = {
  "field.required": {
    account_missing: "Name the account.",
    address_missing: "Give an address at least.",
    alert_needed: "An alert is needed.",
    client_name: "A client has a name.",
    domain_name_missing: "Name the domain.",
    endpoint_url: "An endpoint has a URL.",
    give_ids_filter_asks_something_nothing:
      "Give ids, or a filter that asks for something: nothing does not stand for all messages.",
    least_one_condition_needed: "At least one condition is needed.",
    least_one_html_text_template_needed: "At least one of html, text and template is needed, and not empty.",
    least_one_recipient_needed: "At least one recipient is needed.",
    least_one_server_needed: "At least one server is needed.",
    least_one_transport_needed: "At least one transport is needed.",
    mail_needs_sender: "Mail needs a sender.",
    missing: "The field is missing.",
    not_empty: "It must not be empty.",
    password_missing_none_stored_user_name:
      "The password is missing, and none is stored for this user name at these servers.",
    policy_needs_account: "`policy` needs `account_id`: policies belong to an account.",
    restricted_key_needs_least_one_scope: "A restricted key needs at least one scope.",
    rule_names_least_one_domain: "A rule names at least one domain.",
    say_when_they_came_trace_ids: "Say when they came, or by which trace ids.",
    schedule_least_one_wait: "A schedule has at least one wait.",
    schedule_name_1_characters_no_control:
      "A schedule's name has 1 to {max} characters, and no control character.",
    scope_id: "Name the {type} by its id.",
    selection_missing: "Select an account, a destination, a policy of an account, or `all`.",
    sender_needed: "A sender is needed.",
    silence_end: "A silence has an end.",
    subject_needed: "A subject is needed.",
    tag_character: "A tag has a character.",
    weekly_or_monthly: "It is weekly or monthly.",
    workspace_no_contacts_say_whom_report: "A workspace has no contacts: say whom its report goes to.",
  },
  "field.unknown": {
    row_more_cells_than_first_row: "The row has more cells than the first row names columns.",
    unknown_field: 'There is no field "{key}" here. Nothing is dropped in silence: leave it out.',
  },
  "field.type": {
    type: "The value must be of the type {expected}.",
    type_object: "The value must be of the type object.",
    type_string_or_strings: "The value must be a string or a list of strings.",
  },
  "field.too_long": {
    named_up_to_characters: "`{name}` has up to {max} characters.",
    query_up_to_characters: "A query has up to {max} characters.",
    at_most_characters: "It has at most {max} characters.",
    description_most_characters: "A description has at most {max} characters.",
    detail_most_characters: "The detail has at most {max} characters.",
    fallbacks_more_than_1_mb_together: "The fallbacks have more than 1 MB together.",
    length_at_most: "It has {max} characters at most.",
    list_at_most: "There are {max} at most.",
    metadata_value_up_characters: "A metadata value has up to {max} characters.",
    most_characters_looked: "At most {max} characters are looked for.",
    name_up_to_characters: "A name has up to {max} characters.",
    no_id: "There is no such id.",
    octets_json_allowed: "It has {actual} octets as JSON; {max} are allowed.",
    part_too_large: "The {field} has {actual} octets; {max} are allowed.",
    up_to_characters: "It has up to {max} characters.",
    url_most_characters: "A URL has at most {max} characters.",
  },
  "field.too_many": {
    addresses_at_most: "At most {max} addresses, not {actual}.",
    addresses_of_call: "One call takes at most {max} addresses.",
    at_most: "There are at most {max}.",
    body_values: "A body has at most {max} values; the one too many is in here.",
    conditions_at_most: "There are at most {max} conditions.",
    endpoint_most_headers: "An endpoint has at most {max} headers.",
    endpoint_names_most_them: "An endpoint names at most {max} of them.",
    give_most_ids_filter: "Give at most {max} ids, or a filter.",
    most_attachments_given: "At most {max} attachments can be given.",
    most_entries_looked: "At most {max} entries are looked for.",
    most_hits_once: "At most {max} hits at once.",
    most_metadata_keys_given: "At most {max} metadata keys can be given.",
    most_notices_once: "At most {max} notices at once.",
    most_rules: "At most {max} rules.",
    most_tags_given: "At most {max} tags can be given.",
    most_tags_looked: "At most {max} tags are looked for.",
    most_transports: "At most {max} transports.",
    most_values_allowed_one_too_many: "At most {max} values are allowed; the one too many is in here.",
    most_waits: "At most {max} waits.",
    most_words_looked: "At most {max} words are looked for.",
    rules_name_domains_most: "The rules name {actual} domains, of {max} at most.",
    template_most_variables: "A template has at most {max} variables.",
  },
  "field.too_deep": {
    body_levels: "A body has at most {max} levels of objects and lists; this value is one more.",
    most_levels_objects_lists_allowed_value:
      "At most {max} levels of objects and lists are allowed; this value is one more.",
  },
  "field.duplicate": {
    key_stands_twice_object_two_meant:
      "The key stands twice in its object: which of the two is meant cannot be told.",
  },
  "field.name_not_allowed": {
    key_name_not_accepted_programs_take:
      "A key of this name is not accepted: programs take it for more than a field.",
  },
  "field.number_inexact": {
    number_cannot_held_written_more_digits:
      "The number cannot be held as it is written: it has more digits than a double holds, or is beyond 2^53 - 1. Send it as a string.",
  },
  "field.conflict": {
    address_or_domain: "Ask for an address or for a domain.",
    bodies_kept_hermod_content_retention_days:
      "Bodies are kept for HERMOD_CONTENT_RETENTION_DAYS: with that the maximum age is {max} seconds.",
    credentials_not_sent_without_tls: "Credentials are not sent without TLS.",
    domain_suppressed_all_mail_account_not:
      "A domain is suppressed for all mail of the account, not for one routing policy.",
    entry_one_routing_policy_all_mail:
      "An entry is for one routing policy or for all mail of the account, not for both.",
    id_stands_place_address_policy: "An id stands in place of address and policy.",
    maximum_age_shorter_than_first_wait:
      "The maximum age is shorter than the first wait: nothing would be tried twice.",
    monthly_report_day_month_no_weekday: "A monthly report has a day of the month, and no weekday.",
    no_template_use_data: "There is no template to use this data.",
    only_deliverability_key_belongs_workspace: "Only a deliverability key belongs to a workspace.",
    only_restricted_key_list_scopes: "Only a restricted key has a list of scopes.",
    template_supplies_body_not_stand_beside:
      "The template supplies the body: {field} may not stand beside it.",
    username_password_belong_together: "username and password belong together.",
    wait_longer_than_hermod_max_age:
      "The wait is longer than HERMOD_MAX_AGE_HOURS: shorten it, or give max_age_seconds.",
    weekly_report_weekday_no_day_month: "A weekly report has a weekday, and no day of the month.",
  },
} as const;
