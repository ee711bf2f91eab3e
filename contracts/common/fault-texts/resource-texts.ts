import { fromFieldTexts } from "./from-field-texts.ts";

/** Texts of faults of messages, senders, policies and other resources, by code and reason. */
export const resourceTexts = {
  "message.too_large": {
    mail_address_octets_most: "Mail to this address has {max} octets at most.",
    message_more_than_octets_limit: "The message has more than {max} octets, which is the limit.",
    message_octets_allowed: "The message has {actual} octets; {max} are allowed.",
    message_octets_allowed_now: "The message has {actual} octets; {max} are allowed by now.",
    message_octets_encoded_delivery_allowed:
      "The message has {actual} octets, encoded for delivery; {max} are allowed.",
  },
  "message.malformed": {
    field_control_character: "{name} has a control character.",
    field_empty: "The {name} field is empty.",
    ...fromFieldTexts,
    header_more_than_octets: "The header has more than {max} octets.",
    header_octets_no_utf_8_all:
      "The header has octets that are no UTF-8, which is all that SMTPUTF8 allows (RFC 6532).",
    line_header_no_field_no_name:
      "A line of the header is no field: no name with a colon, and no fold of one.",
    message_contains_cr_without_lf_lines: "The message contains a CR without its LF: lines end in CRLF.",
    message_contains_lf_without_cr_lines: "The message contains an LF without its CR: lines end in CRLF.",
    message_contains_nul: "The message contains a NUL.",
    message_line_more_than_octets: "The message has a line of more than {max} octets.",
    message_more_than_header_fields: "The message has more than {max} header fields.",
    message_names_too_many_senders: "The message names too many senders.",
    message_no_from_field: "The message has no From field.",
    message_no_message_id_field_several: "The message has no Message-ID field, or several.",
    no_date_rfc_5322_section_3: "{name} is no date as RFC 5322 section 3.3 has it.",
    several_fields: "The message has several {name} fields.",
    white_space_between_colon: "There is white space between {name} and its colon.",
  },
  "message.looping": {
    message_here_before_passed_too_many: "The message was here before, or has passed too many servers.",
    message_passed_servers_pass_runs_circles:
      "The message has passed {actual} servers, and may pass {max}: it runs in circles.",
  },
  "sender.unverified": {
    sender_and_domain_unverified:
      "{address} is not a verified sender of this account, and neither is its domain.",
    sender_unverified: "{sender} is not a verified sender of this account.",
    not_verified_sender: "Not a verified sender.",
  },
  "sender.not_allowed": {
    idempotency_key_belongs_message_whose_sender:
      "This Idempotency-Key belongs to a message whose sender the API key may not use. Nothing was stored.",
    key_sender: "The key may not send as {address}.",
    not_among_key_senders: "Not among the key's senders.",
  },
  "sender.unknown": {
    no_sender: "{sender} is not a sender of the account.",
  },
  "sender.malformed": {
    mail_from: "MAIL FROM is no address. {detail}",
  },
  "policy.unknown": {
    no_default_policy_name_field: "The account has no default routing policy: name one in `routing_policy`.",
    no_default_policy_name_header:
      "The account has no default routing policy: name one in the header X-Service-Policy.",
    no_default_policy_name_one: "The account has no default routing policy: name one.",
    no_policy: 'There is no routing policy "{name}".',
    no_policy_any_more: 'There is no routing policy "{name}" any more.',
    no_policy_of_header: 'There is no routing policy "{name}", which the header X-Service-Policy names.',
  },
  "policy.not_found": {
    no_default_policy: "The account has no default routing policy.",
    no_policy: 'There is no routing policy "{name}".',
  },
  "queue.too_many_holds": {
    holds_already: "There are {max} holds already. Release some first.",
  },
  "resource.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The present revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. There is no such resource now. Nothing was changed.",
  },
  "policy.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The present revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. There is no such resource now. Nothing was changed.",
  },
  "resource.in_use": {
    client_used:
      "The client {name:json} is used by {users}. Change them first, or force the removal: they stop working then. Nothing was changed.",
    client_used_by_more:
      "The client {name:json} is used by {users} and {count} more. Change them first, or force the removal: they stop working then. Nothing was changed.",
    domain_used:
      "The domain {name} is used by {users}. Change them first, or force the removal: they stop working then. Nothing was changed.",
    domain_used_by_more:
      "The domain {name} is used by {users} and {count} more. Change them first, or force the removal: they stop working then. Nothing was changed.",
    policy_used:
      'The routing policy "{name}" is used by {users}. Change them first, or force the removal: they stop working then. Nothing was changed.',
    policy_used_by_more:
      'The routing policy "{name}" is used by {users} and {count} more. Change them first, or force the removal: they stop working then. Nothing was changed.',
    sender_used:
      "The sender {name} is used by {users}. Change them first, or force the removal: they stop working then. Nothing was changed.",
    sender_used_by_more:
      "The sender {name} is used by {users} and {count} more. Change them first, or force the removal: they stop working then. Nothing was changed.",
    template_used:
      'The template "{name}" is used by {users}. Change them first, or force the removal: they stop working then. Nothing was changed.',
    template_used_by_more:
      'The template "{name}" is used by {users} and {count} more. Change them first, or force the removal: they stop working then. Nothing was changed.',
    watched_domain_used:
      "The watched domain is used by {users}. Change them first, or force the removal: they stop working then. Nothing was changed.",
    watched_domain_used_by_more:
      "The watched domain is used by {users} and {count} more. Change them first, or force the removal: they stop working then. Nothing was changed.",
    webhook_used:
      "The webhook endpoint {name} is used by {users}. Change them first, or force the removal: they stop working then. Nothing was changed.",
    webhook_used_by_more:
      "The webhook endpoint {name} is used by {users} and {count} more. Change them first, or force the removal: they stop working then. Nothing was changed.",
  },
  "job.ended": {
    job_ended: "The job {id} has {state} already.",
  },
  "domain.unknown": {
    account_no_domain: "The account has no domain {name}.",
  },
  "domain.check_too_soon": {
    domain_others_account_looked_just_now:
      "The domain, or others of the account, was looked at just now: ask again in {seconds} seconds.",
  },
  "client.unknown": {
    workspace_no_client_id_external_reference:
      "The workspace has no client of this id, external reference or name. Nothing was changed.",
  },
  "client.duplicate": {
    archived_client_has:
      "The client {name:json}, which is archived, has this {field} already. Nothing was changed.",
    client_has: "The client {name:json} has this {field} already. Nothing was changed.",
  },
  "client.archived": {
    client_archived_no_reports_mailed_about:
      "The client {name:json} is archived: no reports are mailed about its domains. Restore it first.",
  },
  "domain.duplicate": {
    workspace_watches_already: "The workspace watches {name} already. Nothing was added.",
  },
  "watched_domain.unknown": {
    workspace_watches_no_domain_name_id:
      "The workspace watches no domain of this name or id. Nothing was changed.",
  },
  "watched_domain.check_too_soon": {
    domain_others_account_checked_just_now:
      "The domain, or others of the account, was checked just now: ask again in {seconds} seconds.",
  },
  "report.failed": {
    report_cancelled: "The job of the report was cancelled. Generate the report again.",
    report_not_made: "The report could not be made. Generate the report again.",
    report_not_made_because: "The report could not be made ({code}): {detail} Generate the report again.",
  },
  "schedule.unknown": {
    workspace_no_schedule_id_name: "The workspace has no schedule of this id or name. Nothing was changed.",
  },
  "message.unknown": {
    no_attachment: "The message has no such attachment.",
    no_html_body: "The message has no HTML body.",
    no_message: 'There is no message "{id}".',
    no_message_quarantine: 'There is no message "{id}" in quarantine.',
    sandbox_no_message: 'The sandbox has no message "{id}".',
    sandbox_no_message_id_cleared: "The sandbox has no message with this id; it may have been cleared.",
  },
  "webhook.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The present revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. There is no such resource now. Nothing was changed.",
  },
  "message.unreadable": {
    body_message_cannot_read: "The body of message {id} cannot be read: {detail}",
    stored_body_message_cannot_read: "The stored body of the message {id} cannot be read: {detail}.",
    stored_message_cannot_read: "The stored message {id} cannot be read: {detail}.",
  },
  "message.body_gone": {
    body_kept_until: "The body of the message {id} is gone: it was kept until {at}.",
    body_message_not_kept_any_more: "The body of message {id} is not kept any more.",
    body_removed_early:
      "The body of the message {id} is gone: it was removed before the time for which bodies are kept.",
  },
  "suppression.unknown": {
    address_not_suppressed: "{address} is not suppressed for {scope}. Nothing was changed.",
    entry_ended: "There is no such entry, or it has ended.",
    no_entry: "There is no such entry. Nothing was changed.",
  },
  "return_path.unknown": {
    domain_watched_no_more: "The domain is watched no more.",
    nobody_reads_mail_postmaster_abuse_here: "Nobody reads mail to postmaster and abuse here.",
  },
  "message.not_cancellable": {
    message_state: "Message {id} is {state}.",
  },
  "message.not_retryable": {
    being_withdrawn: "Message {id} is being withdrawn.",
    no_attempt_follows: "Message {id} is {state}: no attempt follows.",
    not_tried_yet: "Message {id} is scheduled: it has not been tried yet.",
  },
  "message.not_resendable": {
    message_not_final: "Message {id} is {state}: it may be delivered yet. Nothing was stored.",
    own_message: "Message {id} is one of Hermod's own. Nothing was stored.",
    recipient_erased:
      "Message {id} goes to somebody about whom everything is being erased. Nothing was stored.",
    resent_too_often: "Message {id} was sent once more {max} times. Nothing was stored.",
  },
  "message.cancel_pending": {
    message_still_withdrawn_unless_attempt_under:
      "Message {id} is still {state}: it is withdrawn unless an attempt under way delivers it.",
  },
  "store.unavailable": {
    first_keys_differ:
      "Cores have different first keys, {given} and {other}: give all of them the same HERMOD_SECRET_KEYS, and run this again.",
    mongodb_url: "MONGODB_URL cannot be used: {detail}",
    not_all_encrypted:
      "Not everything is encrypted with the first key; {documents} anew. What is wrong: {detail}.",
    not_all_encrypted_and_more:
      "Not everything is encrypted with the first key; {documents} anew. What is wrong (and {count} more): {detail}.",
    rows_imported:
      "{detail} {actual} of {max} rows were imported before that. Import the file again: what is on the list stays as it is.",
  },
  "store.full": {
    rows_imported:
      "{detail} {actual} of {max} rows were imported before that. Import the file again: what is on the list stays as it is.",
  },
} as const;
