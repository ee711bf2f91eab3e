import { createHash, createPublicKey, verify } from "node:crypto";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";

/** The DKIM-Signature fields of a message, unfolded, as tags. */
export function signatures(source: string): Record<string, string>[] {
  const header = source.slice(0, source.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return header
    .split("\r\n")
    .filter((line) => line.startsWith("DKIM-Signature:"))
    .map((line) =>
      Object.fromEntries(
        line
          .slice(15)
          .split(";")
          .map((tag) => tag.trim().split(/=(.*)/s).slice(0, 2)),
      ),
    );
}

/**
 * Returns the algorithms of the valid signatures, verified as in RFC 6376 section 6 with the published keys. The
 * body must be in canonical form.
 */
export function verified(source: string, domain: Domain): string[] {
  const [head = "", body = ""] = [
    source.slice(0, source.indexOf("\r\n\r\n")),
    source.slice(source.indexOf("\r\n\r\n") + 4),
  ];
  const fields = head.replace(/\r\n(?=[ \t])/g, "").split("\r\n");
  const relaxed = (field: string) => {
    const colon = field.indexOf(":");
    return `${field.slice(0, colon).toLowerCase()}:${field
      .slice(colon + 1)
      .replace(/[ \t]+/g, " ")
      .trim()}`;
  };
  const canonicalBody = `${body
    .replace(/[ \t]+(?=\r\n)/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/(?:\r\n)*$/, "")}\r\n`;
  const bodyHash = createHash("sha256").update(canonicalBody, "latin1").digest("base64");
  return signatures(source).flatMap((tags) => {
    const key = domain.keys.find(({ selector }) => selector === tags.s);
    if (!key || tags.bh?.replaceAll(" ", "") !== bodyHash) return [];
    const left = [...fields];
    const names = (tags.h ?? "").replaceAll(" ", "").toLowerCase().split(":");
    const signed = names.flatMap((name) => {
      const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name}:`));
      return at < 0 ? [] : left.splice(at, 1).map((field) => `${relaxed(field)}\r\n`);
    });
    const own =
      fields.find((field) => field.startsWith("DKIM-Signature:") && field.includes(`s=${tags.s};`)) ?? "";
    const data = Buffer.from(signed.join("") + relaxed(own.replace(/(;\s*b=)[^;]*/, "$1")), "latin1");
    const published = Buffer.from(/p=(.*)$/.exec(key.recordValue)?.[1] ?? "", "base64");
    const signature = Buffer.from((tags.b ?? "").replaceAll(" ", ""), "base64");
    const isRsa = key.algorithm === "rsa-sha256";
    const spki = isRsa
      ? published
      : Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), published]);
    const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
    const good = isRsa
      ? verify("sha256", data, publicKey, signature)
      : verify(null, createHash("sha256").update(data).digest(), publicKey, signature);
    return good ? [key.algorithm] : [];
  });
}
