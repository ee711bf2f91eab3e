/** Texts of request and access faults, by code and reason. */
export const accessTexts = {
  "request.malformed_json": {
    body_empty: "The body is empty.",
    body_not_json: "The body is not valid JSON.",
    body_not_json_at: "The body is not valid JSON ({detail}).",
    body_not_valid_utf_8: "The body is not valid UTF-8.",
  },
  "request.malformed": {
    connect_proxies_none: "CONNECT is only for proxies. This server is not a proxy.",
    no_http: "The request cannot be read as HTTP/1.1. Nothing was stored.",
    no_http_because: "The request cannot be read as HTTP/1.1 ({detail}). Nothing was stored.",
    port_speaks_https_not_http:
      "This port speaks HTTPS, not HTTP. Nothing was stored. A key that came with the request has crossed the network unencrypted: replace it.",
    request_broken_off_before_end:
      "The client closed the request before it was complete. Nothing was stored.",
    request_could_not_read_end: "The request could not be read to its end. Nothing was stored.",
  },
  "request.malformed_header": {
    header_not_valid: "A header is not valid.",
    idempotency_key_1_255_visible_ascii:
      "An Idempotency-Key must have 1 to 255 visible ASCII characters. Nothing was stored.",
    no_host: "The request must have a Host header.",
    request_names_one_host_but_authority: "The request must name one host, but :authority and Host differ.",
    request_several_content_types: "The request has several Content-Type headers. Send only one.",
    request_several_idempotency_keys_send_one:
      "The request has several Idempotency-Key headers. Send only one. Nothing was stored.",
    several_hosts: "The request must have only one Host header.",
  },
  "request.not_found": {
    link_not_made_here: "This link was not created by this installation.",
    no_target: "{target} does not exist.",
    path_cannot_decoded: "The path cannot be decoded.",
  },
  "request.method_not_allowed": {
    methods: "{target} allows {methods}, not {method}.",
  },
  "request.unsupported_media_type": {
    body_compressed_otherwise_encoded_send_without:
      "The body is compressed or otherwise encoded. Send it without encoding and without Content-Encoding.",
  },
  "request.too_large": {
    alert_most_octets_one:
      "An alert can have at most {max} octets. This one has {actual}. Nothing was stored.",
    file_octets_most: "A file can have at most {max} octets.",
    submission_more_than_octets_no_memory:
      "The submission exceeds {max} octets, the memory that this process has for submissions.",
  },
  "request.validation_failed": {
    another_backup_under_way_wait_end: "Another backup is in progress. Wait until it ends.",
    backup_failed: "The backup failed: {detail}",
    database_mongodb_mongodb_url_back_up:
      "The database is the MongoDB of MONGODB_URL. Back it up with mongodump --oplog.",
    database_mongodb_mongodb_url_command_compact:
      "The database is the MongoDB of MONGODB_URL. Use MongoDB's own compact command.",
    database_stays: "The database was not changed: {detail}",
    fields_not_valid: "{count} fields are not valid.",
    file_absolute_path: "The file must be an absolute path.",
    file_exists: "{existing} already exists. Name another file.",
    hermod_runs_folder_stop_first: "Hermod is running on this folder. Stop it first.",
    name_delivery_endpoint_all_wait:
      "Name a delivery, or use --endpoint for all waiting deliveries of an endpoint. Nothing was sent.",
    name_delivery_endpoint_many: "Name a delivery, or use --endpoint for many deliveries. Nothing was sent.",
    no_backup_file_under_way_core:
      "No backup to this file is in progress: the core was restarted, or another core answered.",
  },
  "auth.key_missing": {
    deliverability_key_goes_into_header_x:
      "A deliverability key is accepted only in the header `X-API-Key`, not in `Authorization` or in the URL, which logs record. Nothing was changed.",
    no_bearer:
      "The request has no API key: its `Authorization` is not `Bearer` with a key. Send `Authorization: Bearer <key>` or `X-API-Key: <key>`.",
    session_dashboard_does_not_open_send:
      "A dashboard session is not accepted here. Send an API key. `POST /api/keys` creates one.",
  },
  "auth.key_invalid": {
    sending_key_password_not_right_key: "The sending key or its password is wrong, or the key is revoked.",
  },
  "auth.key_expired": {
    key_ended: "The key expired at {at}.",
    key_superseded: "The key expired at {at}, after another key had replaced it.",
  },
  "auth.key_wrong_kind": {
    key_kind: "This operation requires {expected:key_kind}, not {kind:key_kind}.",
  },
  "auth.permission_missing": {
    cancelling_job_needs_permission_beginning_did:
      "Cancelling this job needs the permission {permission}, as starting it did.",
    email_send_missing: "Your role does not include email.send. Nothing was changed.",
    messages_read_missing: "Your role does not include messages.read. Nothing was changed.",
    filter_needs_permission: "The filter `without_second_factor` needs the permission {permission}.",
    role_does_not_include: 'The role "{role}" does not include {permission}. Nothing was changed.',
    you_do_not_belong_account: "You are not a member of this account. Nothing was changed.",
  },
  "request.cross_site": {
    request_comes_from_elsewhere_sec_fetch:
      "The request comes from another site (Sec-Fetch-Site: {site}). Nothing was changed.",
    request_comes_from_not_installation:
      "The request comes from {given}, which is not this installation. Nothing was changed.",
    request_says_neither_sec_fetch_site:
      "The request does not state its origin: it has neither Sec-Fetch-Site nor Origin. Nothing was changed.",
  },
  "auth.scope_missing": {
    key_scope_mode_does_not_include:
      'The key\'s scope mode is "{scope_mode}", which does not include {scope}.',
  },
  "auth.address_not_allowed": {
    key_from_address: "The key must not be used from {address}.",
    key_from_unknown_address: "The key must not be used from an unknown address.",
  },
  "auth.caller_forbidden": {
    log_installation_operator_alone: "Only the operator may read the log of the installation.",
    method_of_other_role: "A caller with the token of a {role:caller_role} may not call {method}.",
  },
  "idempotency.key_reused": {
    key_of_alert: "This Idempotency-Key was used with another body, for alert {id}. Nothing was stored.",
    key_of_message: "This Idempotency-Key was used with another body, for message {id}. Nothing was stored.",
    key_of_other_body: "This Idempotency-Key was used with another body. Nothing was stored.",
  },
  "rate.limited": {
    heartbeat_pings:
      "A heartbeat accepts at most {max} pings per minute. Try again in {seconds} seconds. Nothing was stored.",
    link_reads: "The link was read {max} times within a minute. Try again in {seconds} seconds.",
    domain_takes_reports_day_most_send:
      "A domain accepts at most {max:grouped} reports per day. Send the report again tomorrow.",
    key_makes_reports_minute_most_ask:
      "A key can generate at most {max} reports per minute. Try again in {seconds} seconds. Nothing was created.",
    member_makes_reports_minute_most:
      "A member can generate at most {max} reports per minute. Try again in {seconds} seconds. Nothing was created.",
    requests_per_second: "The {limit} can make at most {max} requests per second. Nothing was stored.",
    too_much_mail_address_within_hour:
      "This address received too much mail within the hour. Try again later.",
  },
  "rate.bytes_in_flight": {
    octets_under_way:
      "The {limit} has {actual} octets of submissions in flight, and this submission would exceed its limit. Nothing was stored.",
  },
  "service.busy": {
    account_under_way:
      "This account has {max} {calls} in progress, which is the limit. Wait until one of them ends.",
    alerts_stored: "{detail} Alerts of the request that are already stored are not stored twice.",
    many_large_mails_coming_try_again: "Too many large mails are arriving. Try again later.",
    many_reports_being_read_send_again: "Too many reports are being read. Send the report again later.",
    too_much_under_way:
      "Too many submissions are in flight, and there is no capacity for this one. Nothing was stored.",
    under_way: "{max} {calls} are in progress, which is the limit. Wait until one of them ends.",
  },
  "account.unknown": {
    account_not_deleted: 'The account "{id}" does not exist. Nothing was changed.',
    installation_several_accounts_name_one: "This installation has several accounts. Name one.",
    no_account: "The account {id} does not exist.",
    no_account_yet: "No account exists yet.",
    no_deletion: 'No account "{id}" was deleted, or the record of its removal is no longer retained.',
  },
  "session.unknown": {
    you_no_session: 'You have no session "{id}". Nothing was changed.',
  },
  "user.unknown": {
    no_user: "The user {email} does not exist. Nothing was changed.",
  },
  "member.unknown": {
    no_member: '"{user}" is not a member of the account. Nothing was changed.',
  },
  "member.exists": {
    member_already: "{email} already belongs to the account.",
  },
  "member.grant_exceeded": {
    role_beyond_role: 'Your role lacks permissions that the role "{role}" has. Nothing was changed.',
  },
  "key.grant_exceeded": {
    scopes_beyond_role: "Your role does not include {scopes}. Nothing was changed.",
  },
  "oidc.link_required": {
    user_exists:
      "{email} already has a user here. Sign in as before, and link the provider. Nothing was changed.",
  },
  "invitation.exists": {
    invited_already: "{email} is already invited. Send that invitation again, or revoke it.",
  },
  "invitation.other_address": {
    invited_address: "The invitation is for {email}. Sign in with that address. Nothing was changed.",
  },
  "invitation.user_exists": {
    sign_in_to_join: "Sign in as {email} to join. Nothing was changed.",
  },
  "mail.not_configured": {
    base_url_missing:
      "Hermod cannot send its own mail: HERMOD_BASE_URL is not set. The operator can do this on the host (`hermod user`). Nothing was changed.",
    mail_from_missing:
      "Hermod cannot send its own mail: HERMOD_MAIL_FROM is not set. The operator can do this on the host (`hermod user`). Nothing was changed.",
  },
  "key.not_active": {
    key_over: "The key has expired. Nothing was changed.",
    key_revoked: "The key is revoked. Nothing was changed.",
    key_rotated: "The key was already rotated. Nothing was changed.",
  },
  "key.unknown": {
    no_key: 'The key "{key}" does not exist. Nothing was changed.',
    no_smtp_credential: 'The SMTP credential "{id}" does not exist.',
  },
  "live.too_many_streams": {
    open_streams: "The {holder} has {max} open event streams, which is the limit. Close some.",
  },
  "password.guessable": {
    password_guessed: "The password is easy to guess. Use several uncommon words.",
    password_guessed_as: "The password is easy to guess ({detail}). Use several uncommon words.",
  },
  "password.too_short": {
    password_at_least: "The password must have at least {min} characters.",
  },
} as const;
