/** Texts of the code `field.invalid`, by reason. */
export const invalidFieldTexts = {
  "field.invalid": {
    until_after_from: "`until` must be later than `from`.",
    overlap_until:
      "Another key has replaced this one: `expires_at` must be at most {at}, 30 days after that.",
    a4_or_letter: "`paper` must be `a4` or `letter`.",
    account_no_workspace: 'The account has no workspace "{id}".',
    address_give_name_domain: "The value is an IP address. Provide the name of a domain.",
    address_http_https_most_characters:
      "The value must be an HTTP or HTTPS URL with at most {max} characters.",
    all_alone: "`all` cannot be combined with an account, destination or policy.",
    all_lists_item_each_request: "Each list must have one item for each request.",
    anybody_register_names_below_give_one:
      "{given} is a public suffix: anyone can register names below it. Provide a name below it.",
    at_most_actions: "A filter has at most {max} actions.",
    at_most_characters: "The value must have at most {max} characters.",
    at_most_characters_not: "The value must have at most {max} characters. It has {actual}.",
    at_most_levels: "The value must have at most {max} levels.",
    batch_1_requests: "A batch must have 1 to {max} requests.",
    beginning_future: "The start time must not be in the future.",
    boolean: "The value must be true or false.",
    characters_at_least: "The value must have at least {min:characters}.",
    characters_at_most: "The value must have at most {max:characters}.",
    color: "The value must be a color such as #0b5394.",
    condition_field:
      "The field of a condition must be one of {allowed}, or context.name with at most {max} names.",
    control_character: "The value must not contain a control character.",
    cron_expression:
      "The value must be an expression of five cron fields, such as `5 2 * * *`, or a name such as `@daily`. It must have a next time.",
    cursor_earlier_answer_empty: "The value must be the cursor of an earlier answer, or empty.",
    cursor_says_where_begin_leave_out: "`from` cannot be combined with a cursor. Omit one of the two.",
    day_number_from_1_monday_7: "A day must be a number from 1 (Monday) to 7 (Sunday).",
    day_of_month: "The day must be from 1 to 28, which every month has.",
    destination_domain: "`destination` must be a domain such as example.com: {detail}",
    detail_contains_control_character: "The detail must not contain a control character.",
    data_or_data_set: "Provide `data` or `data_set`, not both.",
    data_set_name:
      "The name of a data set must have 1 to {max} characters, no control characters, and no space at its ends.",
    dimension_one_of: "The dimension must be one of: {allowed}.",
    does_not_go_group: "`one_incident` cannot be combined with `group_by`.",
    domain_does_not_bounce_mailboxes_do:
      "A domain cannot have the reason `hard_bounce`: only mailboxes bounce. Provide another reason.",
    end_lie_ahead: "The end must be in the future.",
    end_lie_behind_beginning: "The end must be later than the start.",
    end_past: "The end must be in the future.",
    ends_after_begins_not_past: "The end must be later than the start, and in the future.",
    ends_within_year: "The end must be at most one year ahead.",
    entries_at_least: "The value must have at least {min:entries}.",
    entries_at_most: "The value must have at most {max:entries}.",
    events_sent_over_https_alone: "The URL must use HTTPS: events are sent only over HTTPS.",
    fields_at_least: "The value must have at least {min:fields}.",
    fields_at_most: "The value must have at most {max:fields}.",
    finding_id_check_auth_dmarc_policy:
      "`finding` must be the id of a check, such as auth.dmarc.policy or bl.spamcop.",
    give_address_domain_example_com_words:
      "Provide an address, a domain such as @example.com, or words of the address that have letters or digits.",
    header_stands_twice: "The header occurs twice.",
    hermod_writes_header_belongs_connection:
      "This header is reserved: Hermod writes it, or it belongs to the connection.",
    hit_id: "The id of a hit must have 1 to 40 characters from A-Z, a-z, 0-9, _ and -.",
    hour: "The hour must be from 0 to 23.",
    ids_or_filter: "Provide `ids` or `filter`, not both.",
    inhibition_name:
      "The name of an inhibition must have 1 to 100 characters from a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit.",
    ip_address_public_internet: "The value must be an IP address of the public Internet.",
    ipv4_address_name_address: '{given} is an IPv4 address. Set it as "address".',
    kind_one_of: "The kind must be one of: {allowed}.",
    limit_least_1_without_one_leave: "A limit must be at least 1. Omit it for no limit.",
    logo_damaged: "The logo is not a complete PNG, or its data is damaged.",
    logo_form:
      "The logo must be a PNG with at most 8 bits per channel that is not interlaced. Save it again with these settings.",
    logo_pixels: "The logo must have 1 to {max:grouped} pixels on each side.",
    logo_png:
      "The logo must be a PNG. SVG is not accepted, because it can contain scripts and references to other files.",
    logo_size: "The logo must have at most {max} KiB.",
    list_of_values: "The value must be a list of 1 to {max} values.",
    list_unsubscribe_needs_base_url:
      "List-Unsubscribe requires HERMOD_BASE_URL: the https URL at which recipients reach this Hermod.",
    list_unsubscribe_needs_https:
      "List-Unsubscribe requires an https URL as HERMOD_BASE_URL. An http URL is allowed only on loopback, for tests.",
    locale_en_en_region_en_gb:
      "`locale` must be `en`, or `en` with a region, such as `en-GB` or `en-US`. Reports are available only in English.",
    max_age_range: "The maximum age must be from 1 minute (60 seconds) to 14 days ({max} seconds).",
    metadata_key_1_40_letters_digits:
      "A metadata key must have 1 to 40 characters from letters, digits, _ . and -.",
    moment_more_than_days_ahead: "The time must be at most {max} days ahead.",
    moment_past: "The time must not be in the past.",
    moment_rfc_3339_offset_2030_01:
      "The time must be an RFC 3339 time with an offset, such as 2030-01-02T09:00:00Z, on a date and at a time that exist.",
    most_connections: "The number of connections must be at most {max}.",
    most_fields: "At most {max} fields are allowed.",
    most_steps: "At most {max} steps are allowed.",
    most_values_counted_once: "At most {max} values can be counted at once.",
    most_values_series_their_own: "`top` must be at most {max}: no more values get their own series.",
    name_batch_1_characters: "The name of a batch must have 1 to {max} characters.",
    name_characters: "A name must have 1 to {max} characters.",
    name_domain: "The value must be the name of a domain.",
    name_domain_no_underscore: "The name of a domain must not contain an underscore.",
    names_kind_nobody_internet: "The name is reserved and belongs to no domain on the public Internet.",
    names_no_nul_character: "Names in the value must not contain a NUL character.",
    no_action: '"{given}" is not an action. The resources of actions are {allowed}.',
    no_address_literal: '"{given}" is not an address literal such as [192.0.2.1].',
    no_address_machine: "{given} cannot be the address of a machine ({other}).",
    no_domain_name: '"{given}" is not a domain name: {detail}',
    no_data_set: 'The template has no data set "{name}".',
    no_event: "Unknown event {given:json}. Allowed events: {allowed}.",
    no_field_alert: "The value must be a field of an alert.",
    no_host_name_address: '"{given}" is not a host name or an IP address.',
    no_id_incident: "The value is not the id of an incident.",
    no_id_message: "The value is not the id of a message.",
    no_ip_address_cidr_range: '"{given}" is not an IP address or a CIDR range.',
    no_ip_address_of_version: '"{given}" is not an IPv{version} address.',
    no_kind_key: "Unknown kind of key.",
    no_name:
      "A name must have 1 to 100 characters from a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit.",
    no_name_header: "The value is not a valid header name.",
    no_provider: "Unknown provider.",
    no_server_listens_port_0: "The port must not be 0.",
    no_time: '"{given}" is not a time. Write 2030-01-02T09:00:00Z, 2030-01-02, or seconds since 1970.',
    no_type_events: "Unknown event type.",
    no_url_https_shop_example_com: "The value must be a URL such as https://shop.example.com/hooks/mail.",
    no_target_id: "The value must be the id of an alert target: `atg_` and 26 characters.",
    nobody_mailed_first_name_recipients:
      "Escalation requires `recipients`, `on_call_schedules` or `targets`, which are notified first.",
    target_name:
      "The name of an alert target must have 1 to 100 characters from a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit.",
    none_of: '"{given}" is not allowed. Use one of {allowed}.',
    not_valid_json: "The value is not valid JSON.",
    notify_never_alone_some_success_failure:
      "NOTIFY must be `never` alone, or one or more of `success`, `failure` and `delay`.",
    notify_or_drop: "`effect` must be `notify` or `drop`.",
    nul_character: "The {field} must not contain a NUL character.",
    on_call_layer_name:
      "The name of a layer must have 1 to {max} characters, no control characters, and differ from those of other layers.",
    on_call_participant: "A participant must have either `user_id` or `address`.",
    on_call_range: "The range must have at most {max} days.",
    on_call_schedule_name:
      "The name of an on-call schedule must have 1 to 100 characters from a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit.",
    on_call_time: "The time must be in the years 2000 to 2099.",
    on_call_swap_other: "The participant is not on call during the whole time.",
    on_call_swap_overlap: "The two times must not overlap.",
    on_call_swap_same: "The same participant is on call at both times.",
    on_call_swap_several: "One participant must be on call during the whole time.",
    on_call_weekday_of_weeks: "`weekday` is allowed only for shifts of weeks.",
    number: "The value must be a number.",
    number_range: "The value must be a number from {min} to {max}.",
    number_up_to: "The value must be a number from -{max} to {max}.",
    one_of: "The value must be one of {allowed}.",
    one_value: "The value must be a single value, not a list.",
    operators_of_field: "{name} can be compared only with {allowed}.",
    page_events_most: "A page can have at most {max} events.",
    period_366_days_most: "The period must be at most 366 days.",
    period_begins_before_end: "The start of the period must be earlier than its end.",
    period_ends_future_nothing_known: "The end of the period must not be in the future.",
    policy_name:
      "The name of a policy must have 1 to 100 characters from a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit.",
    port_most_65535: "The port must be at most 65535.",
    private_host: "{detail}.",
    query_address:
      "`{name}:` needs an address, a domain such as `@example.com`, or words with a letter or digit (offset {offset}, length {length}).",
    query_empty: "The query needs a letter or digit (offset {offset}, length {length}).",
    query_meta:
      "`meta:` needs a name and a value, such as `meta:order=17` (offset {offset}, length {length}).",
    query_operator:
      "`{name}:` is not an operator. Use {allowed}, or quote the text to search for it (offset {offset}, length {length}).",
    query_quote: "The quotation mark is not closed (offset {offset}, length {length}).",
    query_state: "`state:` must be one of {allowed} (offset {offset}, length {length}).",
    query_subject_empty: "`subject:` needs a letter or digit (offset {offset}, length {length}).",
    query_value: "`{name}:` needs a value directly after the colon (offset {offset}, length {length}).",
    query_words:
      "The query has too many words. The limit is exceeded from here on (offset {offset}, length {length}).",
    quiet_hours_end_from_equal_24:
      "Quiet hours must end. A window with equal `from` and `to` lasts 24 hours: set an end before the next start.",
    recipients: "The list must have {min} to {max} recipients.",
    recipients_no_rule_what_policy_own:
      '"*" is not allowed. The policy\'s own "transports" apply to recipients that match no rule.',
    retention_range:
      "The value must be from 1 to {max}, the retention of this installation. Omit the field to use that retention.",
    return_content: '"{given}" is not allowed. Use one of full, headers.',
    role_one_of: "The role must be one of {allowed}.",
    rule: "{detail}",
    rule_sends_no_mail: "The rule has no recipients, so it sends no mail.",
    rule_name:
      "The name of a rule must have 1 to 100 characters from a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit.",
    silence_starts_within_year: "The start must be a time at most one year ahead.",
    silence_never_in_effect: "The silence needs a window between its start and its end.",
    silence_windows_end:
      "Weekly windows must leave time between them. For a silence of the whole week, omit `weekly` and set `ends_at`.",
    say_why_1_characters: "`comment` must give the reason in 1 to {max} characters.",
    schedule_name_1_characters_no_control:
      "The name of a schedule must have 1 to {max} characters and no control characters.",
    scope_one_of: "`scope` must be one of {allowed}.",
    selector_alone_s1_without_domainkey_what:
      "The value must be only the selector, such as s1, without ._domainkey and the text after it.",
    servers_private: "{detail}: only a policy of the operator may use this server.",
    span_points_most_take_longer_step:
      "A time range can have at most {max} points. Use a longer step or a shorter range.",
    stands_already: '"{given}" is already listed at {pointer}.',
    status_class: "The status must be a code such as 422, or a class such as 4xx.",
    step_one_of: "The step must be one of: {allowed}.",
    subject_found_words_letters_digits: "A subject filter needs words that have letters or digits.",
    submission_id: "The value must be `sub_` followed by the 26 characters of an id.",
    tag_1_64_letters_digits_spaces:
      "A tag must have 1 to 64 characters from letters, digits, spaces, _ . : @ and -.",
    test_to_recipients: "The caller has no address. Set `to` to `recipients`.",
    text: "The value must be a string.",
    text_half_surrogate_pair_no_character:
      "The text contains half of a surrogate pair, which is not a character.",
    text_most_characters: "The value must be a string with at most {max} characters.",
    text_number_true_false_list_those:
      "The value must be a string, a number, true or false, or a list of these.",
    text_of_characters: "The value must be a string of 1 to {max} characters.",
    time_day_22_00: "The value must be a time of day such as 22:00.",
    time_zone_europe_berlin: "The value must be an IANA time zone such as Europe/Berlin.",
    time_zone_iana_database_europe_berlin: "The value must be an IANA time zone such as Europe/Berlin.",
    time_zone_name_iana_list_europe: "The value must be an IANA time zone such as Europe/Berlin.",
    total_no_values_name_dimension: "The dimension `total` has no values. Name another dimension.",
    trace_id: "The value must be `sx_` followed by 26 characters.",
    tracking_needs_base_url:
      "Tracking requires HERMOD_BASE_URL: the https URL at which recipients reach this Hermod.",
    tracking_needs_https:
      "Tracking requires an https URL as HERMOD_BASE_URL. An http URL is allowed only on loopback, for tests.",
    transport_one_sandbox_smtp_direct: "A transport must be one of `sandbox`, `smtp` and `direct`.",
    up_characters_no_control_character:
      "The value must have at most {max} characters and no control characters.",
    url_no_fragment_here_would_not: "The URL must not have a fragment: it would not be sent.",
    url_no_user_name_password_here: "The URL must not have a user name or password. Use a header.",
    value_1_visible_characters_ascii: "A value must have 1 to {max} visible ASCII characters.",
    value_at_least: "The value must be at least {min}.",
    value_at_most: "The value must be at most {max}.",
    value_does_not_form_openapi_document:
      "The value does not have the form that the OpenAPI document defines.",
    value_multiple: "The value must be a multiple of {actual}.",
    value_one_of: "The value must be one of {allowed:code}.",
    version_no_header: "The version has no header with this name.",
    wait_range: "A wait must be from 1 second to 7 days ({max} seconds).",
    weekday: "The weekday must be from 1 (Monday) to 7 (Sunday).",
    weekly_or_monthly: "`cadence` must be `weekly` or `monthly`.",
    what_dropped_told_nobody:
      "`notify` is not allowed with the effect `drop`: a dropped alert notifies no recipients.",
    windows: "The list must have 1 to {max} windows.",
    yes_or_no: "`{field}` must be `yes` or `no`.",
    field_from_1: "`{field}` must be from 1 to {max}.",
    state_one_of: "The state must be one of: {allowed}.",
    anybody_register_names_below_give_own:
      "{given} is a public suffix: anyone can register names below it. Provide a domain that you own.",
    passkey_answer:
      "The browser's answer is not valid, or it came after more than five minutes. Start again.",
    app_code:
      "The code is not the one that the app shows now. Check the clocks of the app and of this server.",
    no_check: "Unknown check.",
    ends_ahead_within_year: "`until` must be in the future, at most one year ahead.",
    workspace_name_1_characters_no_control:
      "The name of a workspace must have 1 to {max} characters and no control characters.",
    uses_up_to_days: "`days` must be at most {max}.",
    former_key_overlap: "The overlap of the former key must be at most {max} seconds (30 days).",
    range_days_at_most: "The range can have at most {max} days.",
    range_rows_at_most:
      "The range has more than {max} rows of reports. Choose a shorter range, a client or a domain.",
    page_entries_at_most: "A page can have at most {max} entries.",
    page_token: "A page token must be the `next_page_token` of an earlier answer.",
    field_at_most_characters: "`{field}` must have at most {max} characters.",
    field_one_of: "`{field}` must be one of {allowed}.",
    link_verifies_address: "A link can verify only an address. A domain is verified by its DNS records.",
    password_present_one: "The new password must differ from the current one.",
    dashboard_path:
      "The value must be a path of the dashboard, such as /messages, of at most {max} characters.",
    csv_nothing_to_import: "No row of the CSV can be imported.",
    csv_nul: "Line {line} contains a NUL character: the text is not a CSV file.",
    no_version_number: '"{given}" is not a version. Use a version number, "draft" or "published".',
    address_present_one: "The new address must differ from the current one.",
    former_secret_overlap: "The overlap of the former secret must be at most {max} seconds (7 days).",
    action_needs_it: "The field is required for the event action `{kind}`.",
    severity_list:
      "The value must be a list such as sev1:critical,error:warning,*:info, with severities from {allowed} and at most {max} words.",
    no_message_of_core: "{detail}",
    list_cursor: "A cursor must be the `next_cursor` of an earlier answer.",
    csv_at: "{detail} (line {line}). Nothing was imported.",
    csv: "{detail}. Nothing was imported.",
  },
} as const;
