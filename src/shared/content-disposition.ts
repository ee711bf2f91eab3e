/** Control characters, bidirectional overrides, and characters with a special meaning for a file system or shell. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\/:*?<>|%]/gu;
const NAME_MAX_LENGTH = 150;

/** A Content-Disposition field (RFC 6266) for a name from a mail. */
export function contentDisposition(kind: "inline" | "attachment", filename: string): string {
  // Through bytes: half a surrogate pair, which cannot be encoded, becomes U+FFFD.
  const name = Buffer.from(filename.slice(-NAME_MAX_LENGTH))
    .toString()
    .replace(UNSAFE, "_")
    .replace(/^\.+/, "_");
  const ascii = name.replace(/[^ -~]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  const extended = ascii === name ? "" : `; filename*=UTF-8''${encoded}`;
  return `${kind}; filename="${ascii}"${extended}`;
}
