import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type DkimSigner, type SignDkimInput, signDkim } from "./sign.ts";

const ED25519: DkimSigner = {
  selector: "ed",
  algorithm: "ed25519-sha256",
  privateKey: generateKeyPairSync("ed25519").privateKey,
};
const RSA: DkimSigner = {
  selector: "rsa",
  algorithm: "rsa-sha256",
  privateKey: generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey,
};
const FROM = "From: a@example.com\r\n";

async function sign(source: string, options: Partial<SignDkimInput> = {}): Promise<string> {
  const fixed = { domain: "example.com", signers: [ED25519], now: new Date("2026-03-01T12:34:56.789Z") };
  const bytes = await signDkim({ source: Buffer.from(source, "latin1"), ...fixed, ...options });
  return bytes.toString("latin1");
}

async function signedNames(header: string, options: Partial<SignDkimInput> = {}): Promise<string[]> {
  const field = await sign(`${header}\r\nbody\r\n`, options);
  return (/;\s+h=([^;]*);/.exec(field)?.[1] ?? "").replace(/\s/g, "").split(":");
}

describe("the field", () => {
  it("says how, for which domain and when it was signed", async () => {
    const field = await sign(`${FROM}\r\n`);
    expect(field.replace(/\r\n /g, " ")).toMatch(
      /^DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed\/relaxed; d=example\.com; s=ed; t=1772368496; h=[^;]+; bh=47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=; b=[A-Za-z0-9+/= ]+\r\n$/,
    );
  });

  it("says when the signature expires, if it does", async () => {
    expect(await sign(`${FROM}\r\n`, { expiresInSeconds: 60 })).toMatch(/ t=1772368496;\s+x=1772368556;/);
  });

  it("is written once for each signer, in their order; not at all without signers", async () => {
    const text = await sign(`${FROM}\r\n`, { signers: [RSA, ED25519] });
    expect(text.match(/a=[^;]+|^DKIM-Signature:/gm)).toEqual([
      "DKIM-Signature:",
      "a=rsa-sha256",
      "DKIM-Signature:",
      "a=ed25519-sha256",
    ]);
    expect(await sign(`${FROM}\r\n`, { signers: [] })).toBe("");
  });

  it("is folded at 78, without white space at a line's end that a relay could remove", async () => {
    const many = Array.from({ length: 60 }, (_, i) => `X-${"n".repeat(i)}: 1\r\n`);
    const names = many.map((field) => field.slice(0, field.indexOf(":")));
    const domain = `${"d".repeat(60)}.example`;
    const text = await sign(`${FROM}${many.join("")}\r\n`, { domain, signers: [RSA], signedHeaders: names });
    for (const line of text.split("\r\n").slice(0, -1)) {
      expect(line.length).toBeLessThanOrEqual(78);
      expect(line).toMatch(/^(?:DKIM-Signature:| \S).*\S$/);
    }
  });
});

describe("what is signed", () => {
  const OVERSIGNED = ["from", "from", "to", "subject", "date", "reply-to"];

  it("includes the absence of fields that must not be added", async () => {
    expect(await signedNames(FROM)).toEqual(OVERSIGNED);
  });

  it("names every field once more than it occurs", async () => {
    expect(await signedNames(`To: a\r\nto: b\r\n${FROM}CC : c\r\nTO:\r\n d\r\n`)).toEqual([
      ...["from", "from", "to", "to", "to", "to", "subject", "date", "reply-to", "cc", "cc"],
    ]);
  });

  it("includes the fields of one-click unsubscription and all of MIME, if present", async () => {
    const header =
      "List-Unsubscribe: <u>\r\nList-Unsubscribe-Post: p\r\nMIME-Version: 1.0\r\nContent-Type: a/b\r\nContent-X: y\r\n";
    const names = await signedNames(`${FROM}${header}X-Ref: 1\r\n`);
    const present = [
      "list-unsubscribe",
      "list-unsubscribe-post",
      "mime-version",
      "content-type",
      "content-x",
    ];
    expect(names.slice(OVERSIGNED.length)).toEqual(present.flatMap((name) => [name, name]));
  });

  it("never includes fields that servers add on the way, even if requested", async () => {
    const traces = ["Received", "Return-Path", "DKIM-Signature", "ARC-Seal", "Authentication-Results", "Bcc"];
    const header = `${FROM}${traces.map((name) => `${name}: x\r\n`).join("")}`;
    expect(await signedNames(header)).toEqual(OVERSIGNED);
    expect(await signedNames(header, { signedHeaders: traces })).toEqual(OVERSIGNED);
  });

  it("includes the requested names instead of the default ones, if present", async () => {
    const names = await signedNames(`${FROM}X-Ref: 1\r\nCc: c\r\nX;y: 1\r\n`, {
      signedHeaders: ["x-REF", "X-Absent", "from", "X;y"],
    });
    expect(names).toEqual([...OVERSIGNED, "x-ref", "x-ref"]);
  });
});

describe("signing refuses", () => {
  it.each([
    ["a bare LF in the header", "From: a\nTo: b\r\n\r\n"],
    ["a bare CR in the header", "From: a\rTo: b\r\n\r\n"],
    ["a bare LF between header and body", "From: a\r\n\n"],
    ["a bare CR at the header's end", "From: a\r"],
    ["a bare LF in the body", "From: a\r\n\r\nb\n"],
    ["a bare CR in the body", "From: a\r\n\r\nb\rc\r\n"],
    ["a header line without a colon", "From: a\r\nhello\r\n\r\n"],
    ["a header line of a mailbox file", "From a Sun Mar  1 12:34:56 2026\r\nFrom: a\r\n\r\n"],
    ["a fold before any field", " x\r\nFrom: a\r\n\r\n"],
    ["a message without From", "To: a\r\n\r\nFrom: b\r\n"],
    ["nothing at all", ""],
  ])("%s", async (_fault, source) => {
    await expect(sign(source)).rejects.toThrow(TypeError);
  });

  it.each<[string, Partial<SignDkimInput>]>([
    ["a domain that would add a tag", { domain: "example.com; i=@evil.example" }],
    ["a selector that would add a tag", { signers: [{ ...ED25519, selector: "s; x=1" }] }],
    ["a key of another algorithm", { signers: [{ ...ED25519, algorithm: "rsa-sha256" }] }],
    ["a public key", { signers: [{ ...RSA, privateKey: generateKeyPairSync("ed25519").publicKey }] }],
    ["a time that is none", { now: new Date(Number.NaN) }],
    ["an end before the start", { expiresInSeconds: -1 }],
  ])("%s", async (_fault, options) => {
    await expect(sign(`${FROM}\r\n`, options)).rejects.toThrow(TypeError);
  });
});
