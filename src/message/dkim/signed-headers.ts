import type { SourceField } from "./header-block.ts";

export interface SignedHeaders {
  /** For the `h=` tag, in lower case: each name once more than it occurs, so that adding another field breaks the signature. */
  readonly names: readonly string[];
  /** The named fields, in that order; of several with one name the last comes first (RFC 6376 section 5.4.2). */
  readonly fields: readonly SourceField[];
}

/** Fields on which a reader relies: named even when absent, so that none can be added on the way. */
const OVERSIGNED = ["from", "to", "subject", "date", "reply-to"];

/**
 * Signed if present: the rest of RFC 6376 section 5.4.1 without Resent-*, which are added on top later, and the fields that RFC
 * 8058 section 4 and Gmail's feedback loop require to be signed.
 */
const SIGNED_BY_DEFAULT = [
  "cc",
  "sender",
  "message-id",
  "in-reply-to",
  "references",
  "list-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "list-subscribe",
  "list-help",
  "list-post",
  "list-owner",
  "list-archive",
  "feedback-id",
  "auto-submitted",
];

/** Written or removed by others after the signing (RFC 6376 section 5.4), or not part of the sent message. */
const NEVER_SIGNED =
  /^(?:received|received-spf|return-path|delivered-to|bcc|dkim-signature|authentication-results|arc-.*|x-google-dkim-signature)$/;
const MIME = /^(?:mime-version|content-.*)$/;
/** Names that can be in `h=` without ending the tag, on a separate line. */
const LISTABLE = /^[^;]{1,76}$/;

/**
 * Selects the signed fields of a header. `whenPresent` replaces the default list; the oversigned fields and all of MIME are
 * always signed. Throws TypeError for a header without From, which must be signed (section 5.4).
 */
export function chooseSignedHeaders(
  fields: readonly SourceField[],
  whenPresent: readonly string[] = SIGNED_BY_DEFAULT,
): SignedHeaders {
  const present = new Map<string, SourceField[]>();
  for (const field of fields) {
    const others = present.get(field.name);
    if (others) others.push(field);
    else present.set(field.name, [field]);
  }
  if (!present.has("from")) throw new TypeError("A message without a From field cannot be signed.");
  const mime = [...present.keys()].filter((name) => MIME.test(name));
  const chosen = [...whenPresent.map((name) => name.toLowerCase()), ...mime].filter(
    (name) => present.has(name) && LISTABLE.test(name) && !NEVER_SIGNED.test(name),
  );
  const names: string[] = [];
  const signed: SourceField[] = [];
  for (const name of new Set([...OVERSIGNED, ...chosen])) {
    const ofName = present.get(name) ?? [];
    signed.push(...ofName.toReversed());
    for (let i = 0; i <= ofName.length; i++) names.push(name);
  }
  return { names, fields: signed };
}
