import type { SourceField } from "./header-block.ts";

export interface SignedHeaders {
  /** For the `h=` tag, in lower case: each name once more than it occurs, so that adding another breaks the signature. */
  readonly names: readonly string[];
  /** The fields named, in that order; of several of one name the last comes first (RFC 6376 section 5.4.2). */
  readonly fields: readonly SourceField[];
}

/** What a reader goes by: named even when absent, so that none of them can be added on the way. */
const OVERSIGNED = ["from", "to", "subject", "date", "reply-to"];

/**
 * Signed where present: the rest of RFC 6376 section 5.4.1, without Resent-*, which are put on top later; what
 * RFC 8058 section 4 and Gmail's feedback loop demand a signature over.
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

/** Written or removed by others after the signing (RFC 6376 section 5.4), or no part of what is sent. */
const NEVER_SIGNED =
  /^(?:received|received-spf|return-path|delivered-to|bcc|dkim-signature|authentication-results|arc-.*|x-google-dkim-signature)$/;
const MIME = /^(?:mime-version|content-.*)$/;
/** What can stand in `h=` without ending the tag, on a line of its own. */
const LISTABLE = /^[^;]{1,76}$/;

/**
 * Chooses what is signed of a header. `whenPresent` takes the place of the default list; the oversigned fields and all
 * of MIME are signed in any case. Throws TypeError for a header without From, which must be signed (section 5.4).
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
