import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  verify as verifyOctets,
} from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dnsRecord } from "./keys.ts";
import { type DkimSigner, type SignDkimInput, signDkim } from "./sign.ts";

const FIXTURES = new URL("../../../test/fixtures/dkim/", import.meta.url);
const SIGNERS: readonly DkimSigner[] = [
  { selector: "ed", algorithm: "ed25519-sha256", privateKey: readKey("ed25519.pem") },
  { selector: "rsa", algorithm: "rsa-sha256", privateKey: readKey("rsa.pem") },
];
const RSA_OF_RFC_8463 =
  "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB";
/** Key records for the signatures of the fixtures, by selector. */
const RECORDS = new Map([
  ...SIGNERS.map(({ selector, privateKey: key }): [string, string] => [
    selector,
    dnsRecord({ selector, domain: "example.com", key }).value,
  ]),
  ["brisbane", "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="],
  ["test", `v=DKIM1; k=rsa; p=${RSA_OF_RFC_8463}`],
]);

function readKey(name: string): KeyObject {
  return createPrivateKey(readFileSync(new URL(name, FIXTURES)));
}

function readTags(list: string): Map<string, string> {
  const pairs = list.replace(/\s/g, "").split(";");
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

function publicKeyOf(record: string): KeyObject {
  const tags = readTags(record);
  const octets = Buffer.from(tags.get("p") ?? "", "base64");
  if (tags.get("k") === "rsa") return createPublicKey({ key: octets, type: "spki", format: "der" });
  const jwk = { kty: "OKP", crv: "Ed25519", x: octets.toString("base64url") };
  return createPublicKey({ key: jwk, format: "jwk" });
}

/** A verifier after RFC 6376 section 6 that shares no code with the signer. One verdict for each signature. */
function verify(message: string): boolean[] {
  const headerEnd = message.indexOf("\r\n\r\n");
  const fields = message.slice(0, headerEnd).split(/\r\n(?![ \t])/);
  const lines = message.slice(headerEnd + 4).split("\r\n");
  const reduced = lines.map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  const body = reduced.join("\r\n").replace(/(?:\r\n)+$/, "");
  const bodyHash = createHash("sha256")
    .update(body === "" ? "" : `${body}\r\n`, "latin1")
    .digest("base64");
  return fields
    .filter((field) => nameOf(field) === "dkim-signature")
    .map((signature) => {
      const tags = readTags(signature.slice(signature.indexOf(":") + 1));
      const left = [...fields].reverse();
      const signed = (tags.get("h") ?? "").split(":").flatMap((name) => {
        const at = left.findIndex((field) => nameOf(field) === name);
        return at === -1 ? [] : left.splice(at, 1).map((field) => `${relaxed(field)}\r\n`);
      });
      const data = Buffer.from(
        signed.join("") + relaxed(signature.replace(/([;\s]b=)[^;]*/, "$1")),
        "latin1",
      );
      const key = publicKeyOf(RECORDS.get(tags.get("s") ?? "") ?? "");
      const octets = Buffer.from(tags.get("b") ?? "", "base64");
      const isRsa = tags.get("a") === "rsa-sha256";
      const isSigned = isRsa
        ? verifyOctets("sha256", data, key, octets)
        : verifyOctets(null, createHash("sha256").update(data).digest(), key, octets);
      return isSigned && tags.get("bh") === bodyHash;
    });
}

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(":")).trim().toLowerCase();
}

function relaxed(field: string): string {
  const value = field.slice(field.indexOf(":") + 1).replace(/\r\n/g, "");
  return `${nameOf(field)}:${value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "")}`;
}

async function sign(source: string, options: Partial<SignDkimInput> = {}): Promise<string> {
  const fixed = { domain: "example.com", signers: SIGNERS, now: new Date("2026-03-01T12:34:56Z") };
  const fields = await signDkim({ source: Buffer.from(source, "latin1"), ...fixed, ...options });
  return fields.toString("latin1") + source;
}

describe("the golden messages", () => {
  const cases = readdirSync(FIXTURES).filter((name) => name.endsWith(".json"));
  it.each(cases)("%s", async (name) => {
    const { now, ...options } = JSON.parse(readFileSync(new URL(name, FIXTURES), "utf8"));
    const expected = readFileSync(new URL(name.replace(/json$/, "eml"), FIXTURES), "latin1");
    const source = expected.replace(/^(?:DKIM-Signature:.*\r\n(?: .*\r\n)*){2}/, "");
    expect(await sign(source, { now: new Date(now), ...options })).toBe(expected);
    expect(verify(expected)).toEqual([true, true]);
  });

  it("of RFC 8463 appendix A.3 verifies, which proves the verifier", () => {
    const message = readFileSync(new URL("rfc8463.eml", FIXTURES), "latin1");
    expect(verify(message)).toEqual([true, true]);
    expect(verify(message.replace("hungry", "angry"))).toEqual([false, false]);
    expect(verify(message.replace("Suzie", "Susie"))).toEqual([false, false]);
  });
});

describe("a signature", () => {
  const value = fc
    .array(fc.constantFrom("a", "É", " ", "\t", ":", ";", "b=", "\r\n ", " \r\n\t"))
    .map((pieces) => pieces.join(""));
  const name = fc.constantFrom("To", "SUBJECT", "date", "Reply-To", "Cc", "From", "Content-Type", "X-Ref");
  const header = fc
    .array(fc.tuple(name, value))
    .map((fields) => fields.map(([n, v]) => `${n}:${v}\r\n`).join(""));
  const body = fc
    .array(fc.constantFrom("a", "É", " ", "\t", ".", "\r\n", "\r\n\r\n", "\0", "x".repeat(99)))
    .map((pieces) => pieces.join(""));

  it("is valid for any header and body, and after the changes that a relay may make", async () => {
    await fc.assert(
      fc.asyncProperty(header, body, async (fields, text) => {
        const signed = await sign(`From: a@example.com\r\n${fields}\r\n${text}`);
        expect(verify(signed)).toEqual([true, true]);
        const relayed = `Received: x\r\n${signed.replace("From: a@", "FROM:\r\n\t a@")} \r\n\r\n`;
        expect(verify(relayed)).toEqual([true, true]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(["From", "To", "Subject", "Date", "Reply-To", "Cc", "List-Unsubscribe", "Content-Type"])(
    "breaks when a second or first %s is added",
    async (added) => {
      const unsubscribe = "List-Unsubscribe: <https://example.com/u>\r\nCc: c@example.net\r\n";
      const signed = await sign(
        `From: a@example.com\r\nContent-Type: text/plain\r\n${unsubscribe}\r\nHi\r\n`,
      );
      expect(verify(signed)).toEqual([true, true]);
      expect(verify(`${added}: evil\r\n${signed}`)).toEqual([false, false]);
      expect(verify(signed.replace("\r\n\r\n", `\r\n${added}: evil\r\n\r\n`))).toEqual([false, false]);
    },
  );
});
