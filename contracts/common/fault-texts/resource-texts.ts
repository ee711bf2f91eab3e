import { fromFieldTexts } from "./from-field-texts.ts";

/** Texts of message, sender, policy and other resource faults, by code and reason. */
export const resourceTexts = {
  "message.too_large": {
    mail_address_octets_most: "Mail to this address can have at most {max} octets.",
    message_more_than_octets_limit: "The message exceeds the limit of {max} octets.",
    message_octets_allowed: "The message has {actual} octets. At most {max} are allowed.",
    message_octets_allowed_now: "The message has {actual} octets. At most {max} are allowed now.",
    message_octets_encoded_delivery_allowed:
      "The message has {actual} octets, encoded for delivery. At most {max} are allowed.",
  },
  "message.malformed": {
    field_control_character: "{name} contains a control character.",
    field_empty: "The {name} field is empty.",
    ...fromFieldTexts,
    header_more_than_octets: "The header exceeds {max} octets.",
    header_octets_no_utf_8_all:
      "The header contains octets that are not UTF-8. SMTPUTF8 allows only UTF-8 (RFC 6532).",
    line_header_no_field_no_name:
      "A line of the header is neither a field (a name and a colon) nor the continuation of one.",
    message_contains_cr_without_lf_lines: "The message contains a CR without an LF. Lines must end in CRLF.",
    message_contains_lf_without_cr_lines: "The message contains an LF without a CR. Lines must end in CRLF.",
    message_contains_nul: "The message contains a NUL character.",
    message_line_more_than_octets: "The message has a line of more than {max} octets.",
    message_more_than_header_fields: "The message has more than {max} header fields.",
    message_names_too_many_senders: "The message names too many senders.",
    message_no_from_field: "The message has no From field.",
    message_no_message_id_field_several: "The message must have exactly one Message-ID field.",
    no_date_rfc_5322_section_3: "{name} is not a date in the format of RFC 5322 section 3.3.",
    several_fields: "The message has several {name} fields.",
    white_space_between_colon: "White space is not allowed between {name} and its colon.",
  },
  "message.looping": {
    message_here_before_passed_too_many: "The message was already here, or it has passed too many servers.",
    message_passed_servers_pass_runs_circles:
      "The message has passed {actual} servers, which reaches the limit of {max}. It is in a mail loop.",
  },
  "sender.unverified": {
    sender_and_domain_unverified:
      "{address} is not a verified sender of this account, and neither is its domain.",
    sender_unverified: "{sender} is not a verified sender of this account.",
    not_verified_sender: "The sender is not verified.",
  },
  "sender.not_allowed": {
    idempotency_key_belongs_message_whose_sender:
      "This Idempotency-Key belongs to a message with a sender that the API key may not use. Nothing was stored.",
    key_sender: "The key may not send as {address}.",
    not_among_key_senders: "The sender is not in the key's list of senders.",
  },
  "sender.unknown": {
    no_sender: "{sender} is not a sender of the account.",
  },
  "sender.malformed": {
    mail_from: "MAIL FROM is not a valid address. {detail}",
  },
  "policy.unknown": {
    no_default_policy_name_field: "The account has no default routing policy. Name one in `routing_policy`.",
    no_default_policy_name_header:
      "The account has no default routing policy. Name one in the header X-Service-Policy.",
    no_default_policy_name_one: "The account has no default routing policy. Name one.",
    no_policy: 'The routing policy "{name}" does not exist.',
    no_policy_any_more: 'The routing policy "{name}" no longer exists.',
    no_policy_of_header: 'The routing policy "{name}" in the header X-Service-Policy does not exist.',
  },
  "on_call_schedule.unknown": {
    no_on_call_schedule: 'The on-call schedule "{name}" does not exist.',
  },
  "policy.not_found": {
    no_default_policy: "The account has no default routing policy.",
    no_policy: 'The routing policy "{name}" does not exist.',
  },
  "policy.version_not_found": {
    no_policy_version: 'The routing policy "{name}" has no version {version}.',
  },
  "queue.too_many_holds": {
    holds_already: "There are already {max} holds. Release some first.",
  },
  "resource.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The current revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. The resource no longer exists. Nothing was changed.",
  },
  "policy.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The current revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. The resource no longer exists. Nothing was changed.",
  },
  "alert_target.unknown": {
    no_alert_target: 'The alert target "{name}" does not exist.',
  },
  "resource.in_use": {
    alert_target_used:
      'The alert target "{name}" is used by {users}. Change them first, or force the removal: they then no longer notify it. Nothing was changed.',
    alert_target_used_by_more:
      'The alert target "{name}" is used by {users} and {count} more. Change them first, or force the removal: they then no longer notify it. Nothing was changed.',
    client_used:
      "The client {name:json} is used by {users}. Change them first, or force the removal: they then stop working. Nothing was changed.",
    client_used_by_more:
      "The client {name:json} is used by {users} and {count} more. Change them first, or force the removal: they then stop working. Nothing was changed.",
    domain_used:
      "The domain {name} is used by {users}. Change them first, or force the removal: they then stop working. Nothing was changed.",
    domain_used_by_more:
      "The domain {name} is used by {users} and {count} more. Change them first, or force the removal: they then stop working. Nothing was changed.",
    on_call_schedule_used:
      'The on-call schedule "{name}" is used by {users}. Change them first. Nothing was changed.',
    on_call_schedule_used_by_more:
      'The on-call schedule "{name}" is used by {users} and {count} more. Change them first. Nothing was changed.',
    policy_used:
      'The routing policy "{name}" is used by {users}. Change them first, or force the removal: they then stop working. Nothing was changed.',
    policy_used_by_more:
      'The routing policy "{name}" is used by {users} and {count} more. Change them first, or force the removal: they then stop working. Nothing was changed.',
    sender_used:
      "The sender {name} is used by {users}. Change them first, or force the removal: they then stop working. Nothing was changed.",
    sender_used_by_more:
      "The sender {name} is used by {users} and {count} more. Change them first, or force the removal: they then stop working. Nothing was changed.",
    template_used:
      'The template "{name}" is used by {users}. Change them first, or force the removal: they then stop working. Nothing was changed.',
    template_used_by_more:
      'The template "{name}" is used by {users} and {count} more. Change them first, or force the removal: they then stop working. Nothing was changed.',
    watched_domain_used:
      "The watched domain is used by {users}. Change them first, or force the removal: they then stop working. Nothing was changed.",
    watched_domain_used_by_more:
      "The watched domain is used by {users} and {count} more. Change them first, or force the removal: they then stop working. Nothing was changed.",
    webhook_used:
      "The webhook endpoint {name} is used by {users}. Change them first, or force the removal: they then stop working. Nothing was changed.",
    webhook_used_by_more:
      "The webhook endpoint {name} is used by {users} and {count} more. Change them first, or force the removal: they then stop working. Nothing was changed.",
  },
  "job.ended": {
    job_ended: "The job {id} has already {state}.",
  },
  "domain.unknown": {
    account_no_domain: "The account has no domain {name}.",
  },
  "domain.check_too_soon": {
    domain_others_account_looked_just_now:
      "The domain, or other domains of the account, were checked a moment ago. Try again in {seconds} seconds.",
  },
  "client.unknown": {
    workspace_no_client_id_external_reference:
      "The workspace has no client with this id, external reference or name. Nothing was changed.",
  },
  "client.duplicate": {
    archived_client_has: "The archived client {name:json} already has this {field}. Nothing was changed.",
    client_has: "The client {name:json} already has this {field}. Nothing was changed.",
  },
  "client.archived": {
    client_archived_no_reports_mailed_about:
      "The client {name:json} is archived, so no reports about its domains are mailed. Restore it first.",
  },
  "domain.duplicate": {
    workspace_watches_already: "The workspace already watches {name}. Nothing was added.",
  },
  "watched_domain.unknown": {
    workspace_watches_no_domain_name_id:
      "The workspace watches no domain with this name or id. Nothing was changed.",
  },
  "watched_domain.check_too_soon": {
    domain_others_account_checked_just_now:
      "The domain, or other domains of the account, were checked a moment ago. Try again in {seconds} seconds.",
  },
  "report.failed": {
    report_cancelled: "The job of the report was cancelled. Generate the report again.",
    report_not_made: "The report could not be generated. Generate it again.",
    report_not_made_because: "The report could not be generated ({code}): {detail} Generate it again.",
  },
  "schedule.unknown": {
    workspace_no_schedule_id_name: "The workspace has no schedule with this id or name. Nothing was changed.",
  },
  "message.unknown": {
    no_attachment: "The message has no such attachment.",
    no_html_body: "The message has no HTML body.",
    no_message: 'The message "{id}" does not exist.',
    no_message_quarantine: 'The message "{id}" is not in quarantine.',
    sandbox_no_message: 'The sandbox has no message "{id}".',
    sandbox_no_message_id_cleared: "The sandbox has no message with this id. It may have been cleared.",
  },
  "webhook.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The current revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. The resource no longer exists. Nothing was changed.",
  },
  "message.unreadable": {
    body_message_cannot_read: "The body of message {id} cannot be read: {detail}",
    stored_body_message_cannot_read: "The stored body of message {id} cannot be read: {detail}.",
    stored_message_cannot_read: "The stored message {id} cannot be read: {detail}.",
  },
  "message.body_gone": {
    body_kept_until: "The body of message {id} is no longer stored: it was retained until {at}.",
    body_message_not_kept_any_more: "The body of message {id} is no longer stored.",
    body_removed_early:
      "The body of message {id} is no longer stored: it was removed before the end of the retention of bodies.",
  },
  "suppression.unknown": {
    address_not_suppressed: "{address} is not suppressed for {scope}. Nothing was changed.",
    entry_ended: "The entry does not exist, or it has expired.",
    no_entry: "The entry does not exist. Nothing was changed.",
  },
  "return_path.unknown": {
    domain_watched_no_more: "The domain is no longer watched.",
    nobody_reads_mail_postmaster_abuse_here: "This installation accepts no mail to postmaster and abuse.",
  },
  "message.not_cancellable": {
    message_state: "Message {id} is {state}.",
  },
  "message.not_retryable": {
    being_withdrawn: "Message {id} is being cancelled.",
    no_attempt_follows: "Message {id} is {state}, so no further attempt follows.",
    not_tried_yet: "Message {id} is scheduled and was not tried yet.",
  },
  "message.not_resendable": {
    message_not_final: "Message {id} is {state} and may still be delivered. Nothing was stored.",
    own_message: "Message {id} is one of Hermod's own. Nothing was stored.",
    recipient_erased: "The recipient's data of message {id} is being erased. Nothing was stored.",
    resent_too_often:
      "Message {id} was already sent again {max} times, which is the limit. Nothing was stored.",
  },
  "message.cancel_pending": {
    message_still_withdrawn_unless_attempt_under:
      "Message {id} is still {state}. It is cancelled unless an attempt in progress delivers it.",
  },
  "store.unavailable": {
    first_keys_differ:
      "The cores have different first keys, {given} and {other}. Give all of them the same HERMOD_SECRET_KEYS, and run this command again.",
    mongodb_url: "MONGODB_URL cannot be used: {detail}",
    not_all_encrypted:
      "Not everything is encrypted with the first key. Encrypted again: {documents}. Problem: {detail}.",
    not_all_encrypted_and_more:
      "Not everything is encrypted with the first key. Encrypted again: {documents}. Problem (and {count} more): {detail}.",
    rows_imported:
      "{detail} {actual} of {max} rows were imported before that. Import the file again: rows that are already on the list are not changed.",
  },
  "store.full": {
    rows_imported:
      "{detail} {actual} of {max} rows were imported before that. Import the file again: rows that are already on the list are not changed.",
  },
} as const;
