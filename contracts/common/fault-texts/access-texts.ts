/** Texts of faults of requests and of access to them, by code and reason. */
export const accessTexts = {
  "request.malformed_json": {
    body_empty: "The body is empty.",
    body_not_json: "The body is not valid JSON.",
    body_not_json_at: "The body is not valid JSON ({detail}).",
    body_not_valid_utf_8: "The body is not valid UTF-8.",
  },
  "request.malformed": {
    connect_proxies_none: "CONNECT is for proxies; this is none.",
    no_http: "The request cannot be read as HTTP/1.1. Nothing was stored.",
    no_http_because: "The request cannot be read as HTTP/1.1 ({detail}). Nothing was stored.",
    port_speaks_https_not_http:
      "This port speaks HTTPS, not HTTP. Nothing was stored. A key that came with the request has crossed the network unencrypted: replace it.",
    request_broken_off_before_end: "The request was broken off before its end. Nothing was stored.",
    request_could_not_read_end: "The request could not be read to its end. Nothing was stored.",
  },
  "request.malformed_header": {
    header_not_valid: "A header is not valid.",
    idempotency_key_1_255_visible_ascii:
      "An Idempotency-Key has 1 to 255 visible ASCII characters. Nothing was stored.",
    no_host: "A request has one Host header, not none.",
    request_names_one_host_but_authority: "A request names one host, but :authority and Host differ.",
    request_several_content_types: "The request has several Content-Types.",
    request_several_idempotency_keys_send_one:
      "The request has several Idempotency-Keys; send one. Nothing was stored.",
    several_hosts: "A request has one Host header, not several.",
  },
  "request.not_found": {
    link_not_made_here: "This link was not made here.",
    no_target: "There is no {target}.",
    path_cannot_decoded: "The path cannot be decoded.",
  },
  "request.method_not_allowed": {
    methods: "{target} takes {methods}, not {method}.",
  },
  "request.unsupported_media_type": {
    body_compressed_otherwise_encoded_send_without:
      "The body is compressed or otherwise encoded: send it as it is, without Content-Encoding.",
  },
  "request.too_large": {
    alert_most_octets_one: "An alert has at most {max} octets; this one has {actual}. Nothing was stored.",
    file_octets_most: "A file has {max} octets at most.",
    submission_more_than_octets_no_memory:
      "The submission has more than {max} octets, for which there is no memory here.",
  },
  "request.validation_failed": {
    another_backup_under_way_wait_end: "Another backup is under way: wait for its end.",
    backup_failed: "The backup failed: {detail}",
    database_mongodb_mongodb_url_back_up:
      "The database is the MongoDB of MONGODB_URL: back it up with mongodump --oplog.",
    database_mongodb_mongodb_url_command_compact:
      "The database is the MongoDB of MONGODB_URL, which has a command compact of its own.",
    database_stays: "The database stays as it is: {detail}",
    fields_not_valid: "{count} fields are not valid.",
    file_absolute_path: "The file must be an absolute path.",
    file_exists: "There is something at {existing}: name another file.",
    hermod_runs_folder_stop_first: "Hermod runs on this folder: stop it first.",
    name_delivery_endpoint_all_wait:
      "Name a delivery, or --endpoint for all that wait there. Nothing was sent.",
    name_delivery_endpoint_many: "Name a delivery, or --endpoint for many. Nothing was sent.",
    no_backup_file_under_way_core:
      "No backup to this file is under way: the core was started again, or another one answers.",
  },
  "auth.key_missing": {
    deliverability_key_goes_into_header_x:
      "A deliverability key goes into the header `X-API-Key` and nowhere else: neither into `Authorization` nor into the address, which logs keep. Nothing was changed.",
    no_bearer:
      "The request holds no API key: its `Authorization` is not `Bearer` and a key. Send `Authorization: Bearer <key>` or `X-API-Key: <key>`.",
    session_dashboard_does_not_open_send:
      "A session of the dashboard does not open this: send an API key. `POST /api/keys` makes one.",
  },
  "auth.key_invalid": {
    sending_key_password_not_right_key:
      "The sending key or its password is not right, or the key is revoked.",
  },
  "auth.key_expired": {
    key_ended: "The key ended at {at}.",
    key_superseded: "The key ended at {at}, when another one had taken its place.",
  },
  "auth.key_wrong_kind": {
    key_kind: "This operation takes {expected:key_kind}, not {kind:key_kind}.",
  },
  "auth.permission_missing": {
    cancelling_job_needs_permission_beginning_did:
      "Cancelling this job needs the permission {permission}, as beginning it did.",
    email_send_missing: "Your role does not include email.send. Nothing was changed.",
    role_does_not_include: 'The role "{role}" does not include {permission}. Nothing was changed.',
    you_do_not_belong_account: "You do not belong to this account. Nothing was changed.",
  },
  "request.cross_site": {
    request_comes_from_elsewhere_sec_fetch:
      "The request comes from elsewhere (Sec-Fetch-Site: {site}). Nothing was changed.",
    request_comes_from_not_installation:
      "The request comes from {given}, which is not this installation. Nothing was changed.",
    request_says_neither_sec_fetch_site:
      "The request says neither by Sec-Fetch-Site nor by Origin where it comes from. Nothing was changed.",
  },
  "auth.scope_missing": {
    key_scope_mode_does_not_include:
      'The key\'s scope mode is "{scope_mode}", which does not include {scope}.',
  },
  "auth.address_not_allowed": {
    key_from_address: "The key may not be used from {address}.",
    key_from_unknown_address: "The key may not be used from an unknown address.",
  },
  "auth.caller_forbidden": {
    log_installation_operator_alone: "The log of the installation is the operator's alone.",
    method_of_other_role: "{method} is not for callers with the token of a {role:caller_role}.",
  },
  "idempotency.key_reused": {
    key_of_alert: "This Idempotency-Key was used with another body, for alert {id}. Nothing was stored.",
    key_of_message: "This Idempotency-Key was used with another body, for message {id}. Nothing was stored.",
    key_of_other_body: "This Idempotency-Key was used with another body. Nothing was stored.",
  },
  "rate.limited": {
    link_reads: "The link was read {max} times within a minute: try again in {seconds} seconds.",
    domain_takes_reports_day_most_send:
      "A domain takes {max:grouped} reports in a day at most: send it again tomorrow.",
    key_makes_reports_minute_most_ask:
      "A key makes {max} reports a minute at most: ask again in {seconds} seconds. Nothing was made.",
    requests_per_second: "The {limit} may make {max} requests per second. Nothing was stored.",
    too_much_mail_address_within_hour: "Too much mail to this address within the hour: try again later.",
  },
  "rate.bytes_in_flight": {
    octets_under_way:
      "The {limit} has {actual} octets of submissions under way, and this one finds no room beside it. Nothing was stored.",
  },
  "service.busy": {
    account_under_way: "{max} {calls} of this account are under way: wait for the end of one of them.",
    alerts_stored: "{detail} What of it is stored already is not taken twice.",
    many_large_mails_coming_try_again: "Many large mails are coming in: try again later.",
    many_reports_being_read_send_again: "Many reports are being read: send it again later.",
    too_much_under_way:
      "Too much is under way already, and this one finds no room beside it. Nothing was stored.",
    under_way: "{max} {calls} are under way: wait for the end of one of them.",
  },
  "account.unknown": {
    account_not_deleted: 'There is no account "{id}". Nothing was changed.',
    installation_several_accounts_name_one: "This installation has several accounts: name one.",
    no_account: "There is no account {id}.",
    no_account_yet: "There is no account yet.",
    no_deletion: 'No account "{id}" was deleted, or what was removed of it is known no more.',
  },
  "session.unknown": {
    you_no_session: 'You have no session "{id}". Nothing was changed.',
  },
  "user.unknown": {
    no_user: "There is no user {email}. Nothing was changed.",
  },
  "member.unknown": {
    no_member: '"{user}" does not belong to the account. Nothing was changed.',
  },
  "member.exists": {
    member_already: "{email} belongs to the account already.",
  },
  "member.grant_exceeded": {
    role_beyond_role: 'Your role does not allow all that "{role}" does. Nothing was changed.',
  },
  "key.grant_exceeded": {
    scopes_beyond_role: "Your role does not include {scopes}. Nothing was changed.",
  },
  "oidc.link_required": {
    user_exists:
      "{email} has a user here: sign in as before, and link the provider to it. Nothing was changed.",
  },
  "invitation.exists": {
    invited_already: "{email} is invited already: that invitation can be sent again, or revoked.",
  },
  "invitation.other_address": {
    invited_address: "The invitation is for {email}: sign in with that address. Nothing was changed.",
  },
  "invitation.user_exists": {
    sign_in_to_join: "Sign in as {email} to join. Nothing was changed.",
  },
  "mail.not_configured": {
    base_url_missing:
      "Hermod cannot send mail of its own: HERMOD_BASE_URL is not set. The operator can do it on the host (`hermod user`). Nothing was changed.",
    mail_from_missing:
      "Hermod cannot send mail of its own: HERMOD_MAIL_FROM is not set. The operator can do it on the host (`hermod user`). Nothing was changed.",
  },
  "key.not_active": {
    key_over: "The key has ended. Nothing was changed.",
    key_revoked: "The key is revoked. Nothing was changed.",
    key_rotated: "The key was rotated before. Nothing was changed.",
  },
  "key.unknown": {
    no_key: 'There is no key "{key}". Nothing was changed.',
    no_smtp_credential: 'There is no SMTP credential "{id}".',
  },
  "live.too_many_streams": {
    open_streams: "The {holder} has {max} open streams of events, as many as it may have. Close some.",
  },
  "password.guessable": {
    password_guessed: "The password is easily guessed: several uncommon words make a better one.",
    password_guessed_as:
      "The password is easily guessed ({detail}): several uncommon words make a better one.",
  },
  "password.too_short": {
    password_at_least: "A password has at least {min} characters.",
  },
} as const;
