import type { FaultCodeName } from "../../../../contracts/common/fault-codes.ts";
import type { FaultReason } from "../../../../contracts/common/fault-texts/fault-texts.ts";
import type { FieldFaultCodeName } from "../../../../contracts/common/field-fault-codes.ts";

// Texts of refused requests that are better for pages than the texts of the API. Codes and reasons without one use the server's
// text.

/** By code, for faults without a reason. */
const ofCodes = {
  "auth.session_missing": "You are signed out. Sign in again.",
  "auth.session_invalid": "Your session has ended. Sign in again.",
  "auth.credentials_invalid": "The email address or the password is wrong.",
  "auth.factor_invalid": "The code or the passkey is wrong, or it was used before. Try the next code.",
  "link.unknown": "This link no longer works: it was used, has expired, or was not copied completely.",
  "invitation.unknown":
    "This invitation no longer works: it was used or revoked, has expired, or its link was not copied completely.",
  "auth.reauthentication_required": "Confirm that it is you, then try again.",
  "auth.throttled": "Too many wrong passwords came from your network. Wait before you try again.",
  "mail.throttled": "Too many mails were requested. Wait before you try again.",
  "core.unavailable": "Hermod is starting or stopping. Nothing was changed.",
  "core.connection_lost": "The connection broke before the answer. Check whether the change was made.",
  "core.timeout": "Hermod did not answer in time. Check whether the change was made.",
  "store.full": "The disk of the database is full. Nothing was stored.",
  "template.stale":
    "Another member or program has changed the template. Your change was not saved. Check the current state, then try again.",
} as const satisfies Partial<Record<FaultCodeName, string>>;

/** By reason; `{name}` is a param of the reason's text. */
const ofReasons = {
  role_does_not_include: "Your role, {role}, does not include {permission}. An owner or admin can change it.",
  you_do_not_belong_account: "You do not belong to this account.",
  scopes_beyond_role: "Your role does not include {scopes}.",
  requests_per_second: "Too many requests: at most {max} per second.",
  sender_and_domain_unverified: "{address} is not verified, and its domain is not verified either.",
  sender_unverified: "{sender} is not verified.",
  key_sender: "The key is not allowed to send as {address}.",
  message_octets_encoded_delivery_allowed: "The message is too large: {actual} bytes encoded, {max} at most.",
  message_octets_allowed_now: "The message is too large: {actual} bytes, {max} at most.",
  no_policy: "The policy {name} does not exist.",
  no_template: "The template {name} does not exist.",
  message_state: "The message is {state}: it can no longer be canceled.",
  message_not_final: "The message is {state} and can still be delivered: it cannot be sent again yet.",
  own_message: "Hermod wrote this message itself: it cannot be sent again.",
  recipient_erased: "The recipient's data is being erased: the message cannot be sent again.",
  resent_too_often: "The message was sent again {max} times, which is the limit.",
  being_withdrawn: "The message is being canceled: it is not tried again.",
  not_tried_yet: "The message is scheduled and was not tried yet.",
  no_attempt_follows: "The message is {state}: it is not tried again.",
  missing: "This field is required.",
  one_of: "Choose one of {allowed}.",
  at_most_characters: "At most {max} characters.",
  name_up_to_characters: "At most {max} characters.",
  least_one_recipient_needed: "Add a recipient.",
  sender_needed: "Choose a sender.",
  subject_needed: "Write a subject.",
  header_value_unknown: "Enter the value of the header {name}. Hermod has none for the URL of the version.",
  no_at: "The address has no @.",
  nothing_before_at: "The address has nothing before the @.",
  nothing_after_at: "The address has nothing after the @.",
  address_empty: "Write an address.",
  resource_changed:
    "Another member or program has changed it since this page loaded it. Your change was not saved. Check the current state, then try again.",
  resource_gone: "Another member or program has removed it. Your change was not saved.",
} as const satisfies Partial<Record<FaultReason, string>>;

export const faults: {
  readonly ofCodes: Readonly<Partial<Record<FaultCodeName | FieldFaultCodeName, string>>>;
  readonly ofReasons: Readonly<Partial<Record<FaultReason, string>>>;
} = { ofCodes, ofReasons };
