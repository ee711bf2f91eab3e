/** The gRPC status names of the codes below (https://grpc.io/docs/guides/status-codes/). */
export type GrpcStatusName =
  | "INVALID_ARGUMENT"
  | "DEADLINE_EXCEEDED"
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "PERMISSION_DENIED"
  | "RESOURCE_EXHAUSTED"
  | "FAILED_PRECONDITION"
  | "ABORTED"
  | "UNIMPLEMENTED"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "UNAUTHENTICATED";

export interface FaultCode {
  /** HTTP status of the problem document. */
  readonly http: number;
  readonly grpc: GrpcStatusName;
  /** Reply code and enhanced status code (RFC 3463) on the SMTP surface. */
  readonly smtp: string;
  /** RFC 9457 `title`: the same for every occurrence. */
  readonly title: string;
  /** One sentence for the documentation: when it happens and what to do. */
  readonly doc: string;
}

/**
 * Every fault that a caller can see, once. The HTTP edge, the gRPC core and the SMTP front end all answer
 * from this table; OpenAPI and docs/errors.md are held equal to it by a test.
 */
export const faultCodes = {
  "request.malformed_json": {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "The body is not valid JSON",
    doc: "The request body could not be parsed as JSON; nothing was stored.",
  },
  "request.undecodable": {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "The request cannot be decoded",
    doc: "The gRPC message is not what its schema says, or a string in it is not UTF-8. Of a batch, the others are not affected. Nothing was stored.",
  },
  "request.malformed": {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    smtp: "500 5.5.2",
    title: "The request cannot be read",
    doc: "What was sent is not HTTP/1.1, or the request ended before its announced end; the connection was closed. Nothing was stored.",
  },
  "request.timeout": {
    http: 408,
    grpc: "DEADLINE_EXCEEDED",
    smtp: "421 4.4.2",
    title: "The request took too long",
    doc: "The request did not arrive as a whole in two minutes; the connection was closed. Nothing was stored: send it again.",
  },
  "request.expectation_failed": {
    http: 417,
    grpc: "INVALID_ARGUMENT",
    smtp: "504 5.5.4",
    title: "The expectation cannot be met",
    doc: "The `Expect` header asks for something other than `100-continue`.",
  },
  "request.header_too_large": {
    http: 431,
    grpc: "RESOURCE_EXHAUSTED",
    smtp: "500 5.5.2",
    title: "The request's headers are too large",
    doc: "The address and the headers of the request have more than 16 KB together; the connection was closed.",
  },
  "request.malformed_header": {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "A request header is malformed",
    doc: "A request header has a value that its definition does not allow, an Idempotency-Key of other than 1 to 255 visible ASCII characters for instance.",
  },
  "request.not_found": {
    http: 404,
    grpc: "UNIMPLEMENTED",
    smtp: "500 5.5.1",
    title: "There is no such route",
    doc: "No operation has this path; see /docs for those that exist.",
  },
  "request.method_not_allowed": {
    http: 405,
    grpc: "UNIMPLEMENTED",
    smtp: "500 5.5.1",
    title: "The method is not allowed here",
    doc: "The path exists with another method, which the Allow header names.",
  },
  "request.unsupported_media_type": {
    http: 415,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.1",
    title: "The body is of a media type that is not accepted here",
    doc: "Requests with a body carry `Content-Type: application/json`, in UTF-8, and no `Content-Encoding`.",
  },
  "request.too_large": {
    http: 413,
    grpc: "RESOURCE_EXHAUSTED",
    smtp: "552 5.3.4",
    title: "The request is too large",
    doc: "The request body is over the size limit and was not read to its end.",
  },
  "request.validation_failed": {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "The request is not valid",
    doc: "One or more fields are missing, unknown or malformed; `errors` names each by JSON pointer. Nothing was stored.",
  },
  "message.too_large": {
    http: 413,
    grpc: "RESOURCE_EXHAUSTED",
    smtp: "552 5.3.4",
    title: "The message is too large",
    doc: "The message, encoded for delivery, would exceed the size limit.",
  },
  "message.malformed": {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "The message is not one that may be sent",
    doc: "A finished message breaks a rule of RFC 5322 that receivers insist on, does not say clearly who sends it (one From field with one address, written so that all readers find the same), or has two of a field that may stand once; the sentence says which.",
  },
  "message.looping": {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    smtp: "550 5.4.6",
    title: "The message runs in circles",
    doc: "The message has as many Received fields as HERMOD_MAX_HOPS allows, or more: servers pass it to each other.",
  },
  "message.incomplete": {
    http: 409,
    grpc: "ABORTED",
    smtp: "451 4.3.0",
    title: "The message did not arrive as a whole",
    doc: "The upload of a finished message ended before its announced end. Nothing was stored.",
  },
  "auth.key_missing": {
    http: 401,
    grpc: "UNAUTHENTICATED",
    smtp: "530 5.7.0",
    title: "An API key is required",
    doc: "Send the key as `X-API-Key`, as `Authorization: Bearer`, or as the query parameter `api_key`.",
  },
  "auth.key_invalid": {
    http: 401,
    grpc: "UNAUTHENTICATED",
    smtp: "535 5.7.8",
    title: "The API key is not valid",
    doc: "The key is unknown, mistyped or revoked.",
  },
  "auth.key_expired": {
    http: 401,
    grpc: "UNAUTHENTICATED",
    smtp: "535 5.7.8",
    title: "The API key has ended",
    doc: "The key was made to end by now, or another one took its place and the overlap is over. Use the new key, or make one.",
  },
  "auth.key_conflict": {
    http: 401,
    grpc: "UNAUTHENTICATED",
    smtp: "535 5.7.8",
    title: "Two different API keys were sent",
    doc: "The request carries different keys in different places; send one.",
  },
  "auth.key_wrong_kind": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "535 5.7.8",
    title: "This kind of key is not accepted here",
    doc: "Account keys send mail and alerts, deliverability keys read Deliverability Intel, sending keys authenticate SMTP; none stands in for another.",
  },
  "auth.session_missing": {
    http: 401,
    grpc: "UNAUTHENTICATED",
    smtp: "530 5.7.0",
    title: "There is no session",
    doc: "The request has no cookie of a dashboard session: sign in first. API keys open `/v1/*` alone. Nothing was changed.",
  },
  "auth.session_invalid": {
    http: 401,
    grpc: "UNAUTHENTICATED",
    smtp: "535 5.7.8",
    title: "The session has ended",
    doc: "The session has expired, was signed out, or was ended from elsewhere: sign in again. Nothing was changed.",
  },
  "auth.permission_missing": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The role does not allow this",
    doc: "The role of the signed-in user in this account lacks the permission that the operation needs; an owner or admin can change it. Nothing was changed.",
  },
  "auth.credentials_invalid": {
    http: 401,
    grpc: "UNAUTHENTICATED",
    smtp: "535 5.7.8",
    title: "The e-mail address or the password is wrong",
    doc: "Nobody has this address with this password. Which of both is wrong is not said. Nothing was changed.",
  },
  "auth.throttled": {
    http: 429,
    grpc: "RESOURCE_EXHAUSTED",
    smtp: "454 4.7.1",
    title: "Too many wrong passwords",
    doc: "Too many wrong passwords came from this network; `Retry-After` says when the next one is looked at. Others are not kept waiting, and nobody is locked out.",
  },
  "auth.password_change_required": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The password must be changed first",
    doc: "The password was made by somebody else: replace it, and everything else is allowed. Nothing was changed.",
  },
  "auth.reauthentication_required": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The password must be entered again",
    doc: "The operation is one that nobody should find open at a forgotten desk: enter the password again, and repeat the request. Nothing was changed.",
  },
  "auth.scope_missing": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The key's scope does not allow this",
    doc: "The key's scope mode, or its list of scopes, does not include the operation.",
  },
  "auth.address_not_allowed": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The key may not be used from this address",
    doc: "The key is bound to IP addresses, and the client's is not among them.",
  },
  "auth.caller_invalid": {
    http: 503,
    grpc: "UNAUTHENTICATED",
    smtp: "451 4.3.0",
    title: "The calling service is not authenticated",
    doc: "gRPC calls carry `authorization: Bearer` with a token that the core knows; this one has none or a wrong one.",
  },
  "auth.caller_forbidden": {
    http: 503,
    grpc: "PERMISSION_DENIED",
    smtp: "451 4.3.0",
    title: "The calling service may not do this",
    doc: "Each gRPC method names the roles of callers that it is for, and the token of this call is another role's.",
  },
  "sender.unverified": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The sender is not verified",
    doc: "The sender is neither a verified address of the account nor in one of its verified domains.",
  },
  "sender.not_allowed": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The key may not use this sender",
    doc: "The key is bound to a list of senders, and this one is not among them.",
  },
  "sender.null_not_allowed": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "The null sender may not be used",
    doc: "Submissions name a sender in MAIL FROM; notices of failure are Hermod's own to send.",
  },
  "sender.malformed": {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    smtp: "553 5.1.7",
    title: "The sender is no address",
    doc: "MAIL FROM names something that is not an e-mail address.",
  },
  "policy.unknown": {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.7.1",
    title: "There is no such routing policy",
    doc: "`routing_policy`, or the header X-Service-Policy of a message over SMTP, names a policy that the account does not have.",
  },
  "template.unknown": {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "There is no such template",
    doc: "`template` names a template that the account has not published.",
  },
  "template.variable_missing": {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "A template variable is missing",
    doc: "The template uses a variable that `template_data` does not have and that has no fallback.",
  },
  "template.variable_type": {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    smtp: "550 5.6.0",
    title: "A template variable has the wrong type",
    doc: "A value in `template_data` is not of the type that the template declares.",
  },
  "idempotency.in_flight": {
    http: 409,
    grpc: "ABORTED",
    smtp: "451 4.3.0",
    title: "A request with this idempotency key is in flight",
    doc: "Another request with the same Idempotency-Key is being worked on; retry after the time that `Retry-After` gives to get its answer.",
  },
  "idempotency.key_reused": {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    smtp: "550 5.6.0",
    title: "The idempotency key was used with another body",
    doc: "This Idempotency-Key belongs to an accepted request whose body differs; use a new key for a new message.",
  },
  "rate.limited": {
    http: 429,
    grpc: "RESOURCE_EXHAUSTED",
    smtp: "454 4.7.1",
    title: "Too many requests",
    doc: "A rate limit of the key or the account is used up; `Retry-After` says when to try again. Nothing was stored.",
  },
  "rate.bytes_in_flight": {
    http: 429,
    grpc: "RESOURCE_EXHAUSTED",
    smtp: "451 4.7.1",
    title: "Too many bytes are under way",
    doc: "The key or the account has as many bytes of submissions under way as it may have at once; `Retry-After` says when to try again. The body was not read, nothing was stored.",
  },
  "service.busy": {
    http: 503,
    grpc: "RESOURCE_EXHAUSTED",
    smtp: "451 4.3.2",
    title: "The service is busy",
    doc: "As many bytes of submissions are under way as this process takes at once; retry after the time that `Retry-After` gives. Nothing was stored.",
  },
  "account.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "There is no such account",
    doc: "No account has this id, or the installation has several and the call names none.",
  },
  "session.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "There is no such session",
    doc: "The user has no session of this id; it may have ended.",
  },
  "user.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "There is no such user",
    doc: "No user has this e-mail address.",
  },
  "member.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "There is no such member",
    doc: "Nobody of this id or address belongs to the account.",
  },
  "member.exists": {
    http: 409,
    grpc: "ALREADY_EXISTS",
    smtp: "450 4.7.1",
    title: "The user belongs to the account already",
    doc: "The user belongs to the account, with the role that the list of members names. Nothing was changed.",
  },
  "member.last_owner": {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    smtp: "450 4.7.1",
    title: "The account would have no owner",
    doc: "An account keeps at least one owner: make somebody else one first. Nothing was changed.",
  },
  "member.grant_exceeded": {
    http: 403,
    grpc: "PERMISSION_DENIED",
    smtp: "550 5.7.1",
    title: "Nobody grants more than they hold",
    doc: "The role that is given or taken away has permissions that the signed-in user lacks. Nothing was changed.",
  },
  "key.not_active": {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    smtp: "550 5.7.1",
    title: "The key cannot be rotated",
    doc: "The key is revoked, has ended, or was rotated before: the key that took its place can be. Nothing was changed.",
  },
  "key.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "There is no such key",
    doc: "No key has this id or prefix.",
  },
  "domain.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "The domain has no keys",
    doc: "No DKIM keys were made for this domain; make some with `hermod domain add`.",
  },
  "message.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "There is no such message",
    doc: "No message has this id or trace id, or it is past its retention.",
  },
  "message.unreadable": {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    smtp: "550 5.3.0",
    title: "The stored message cannot be read",
    doc: "The message is damaged in the database; the sentence says where. `hermod message quarantine` shows, releases and drops such messages.",
  },
  "message.in_delivery": {
    http: 409,
    grpc: "ABORTED",
    smtp: "451 4.3.0",
    title: "The message is still being delivered",
    doc: "The message waits for an attempt, or one is under way: what was to be done needs its end. Try again later.",
  },
  "suppression.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "The address is not suppressed",
    doc: "The suppression list has no entry for this address in this scope.",
  },
  "return_path.unknown": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.1.1",
    title: "There is no such return path",
    doc: "The address is not in the domain of return paths, or its signature is not right: no message was sent with it.",
  },
  "message.not_cancellable": {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    smtp: "550 5.7.1",
    title: "The message cannot be cancelled any more",
    doc: "The message is delivered or otherwise finished; the sentence names its state.",
  },
  "message.cancel_pending": {
    http: 409,
    grpc: "ABORTED",
    smtp: "451 4.3.0",
    title: "The cancellation is not decided yet",
    doc: "An attempt is under way, or no worker is running. The message is withdrawn unless that attempt delivers it; ask again after the time that `Retry-After` gives.",
  },
  "unsubscribe.token_invalid": {
    http: 404,
    grpc: "NOT_FOUND",
    smtp: "550 5.7.1",
    title: "This link is not valid",
    doc: "The link to unsubscribe was not made by this Hermod, or it has not been copied as a whole.",
  },
  "core.unavailable": {
    http: 503,
    grpc: "UNAVAILABLE",
    smtp: "451 4.3.0",
    title: "The service is not available right now",
    doc: "The core cannot be reached or is shutting down. The request was not accepted; retry after the time that `Retry-After` gives.",
  },
  "core.connection_lost": {
    http: 503,
    grpc: "UNAVAILABLE",
    smtp: "451 4.3.0",
    title: "The service went away before its answer",
    doc: "The connection to the core broke before its answer: the request may or may not have been accepted. Retry with the same Idempotency-Key to be sure that it is accepted once.",
  },
  "core.timeout": {
    http: 503,
    grpc: "DEADLINE_EXCEEDED",
    smtp: "451 4.3.0",
    title: "The service did not answer in time",
    doc: "No answer came within the deadline: the request may or may not have been accepted. Retry with the same Idempotency-Key to be sure that it is accepted once.",
  },
  "store.unavailable": {
    http: 503,
    grpc: "UNAVAILABLE",
    smtp: "451 4.3.0",
    title: "The store is not available right now",
    doc: "The database did not confirm the write: the request was not acknowledged. Retry after the time that `Retry-After` gives, with the same Idempotency-Key.",
  },
  "store.full": {
    http: 503,
    grpc: "UNAVAILABLE",
    smtp: "452 4.3.1",
    title: "The store has no space",
    doc: "The database's disk is full: nothing was stored. Retry after the time that `Retry-After` gives.",
  },
  "internal.error": {
    http: 500,
    grpc: "INTERNAL",
    smtp: "451 4.3.0",
    title: "Something went wrong inside Hermod",
    doc: "An unexpected fault; the trace id finds it in the log. Whether the request was accepted is not known: retry with the same Idempotency-Key.",
  },
} as const satisfies Record<string, FaultCode>;

export type FaultCodeName = keyof typeof faultCodes;
