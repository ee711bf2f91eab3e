import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** Deviations from the normal behavior of a browser and its device. */
export interface Ceremony {
  readonly origin: string;
  /** False: the device has not verified its user. */
  readonly isVerified?: boolean;
  /** Signature counter in the response; missing: one more than before. */
  readonly counter?: number;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/**
 * A device with one passkey, implemented from the specification (WebAuthn level 3, sections 6 and 7) without the
 * library.
 */
export interface Authenticator {
  readonly id: string;
  /** Answers `navigator.credentials.create`. */
  register(optionsJson: string, ceremony: Ceremony): string;
  /** Answers `navigator.credentials.get`. */
  prove(optionsJson: string, ceremony: Ceremony): string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const CREDENTIAL_INCLUDED = 0x40;

export function createAuthenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(32);
  const id = credentialId.toString("base64url");
  let userHandle = "";
  let uses = 0;

  function authenticatorData(rpId: string, flags: number, { isVerified = true, counter }: Ceremony): Buffer {
    const count = Buffer.alloc(4);
    uses = counter ?? uses + 1;
    count.writeUInt32BE(uses);
    const verified = isVerified ? USER_VERIFIED : 0;
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags | USER_PRESENT | verified]), count]);
  }

  return {
    id,
    register: (optionsJson, ceremony) => {
      const { challenge, rp, user } = JSON.parse(optionsJson) as CreationOptions;
      userHandle = user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        authenticatorData(rp.id, CREDENTIAL_INCLUDED, ceremony),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey(publicKey),
      ]);
      const attestation = cbor(
        new Map<string, CborValue>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      return JSON.stringify({
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData("webauthn.create", challenge, ceremony).toString("base64url"),
          attestationObject: attestation.toString("base64url"),
          transports: ["internal"],
        },
      });
    },
    prove: (optionsJson, ceremony) => {
      const { challenge, rpId } = JSON.parse(optionsJson) as RequestOptions;
      const authData = authenticatorData(rpId, 0, ceremony);
      const data = clientData("webauthn.get", challenge, ceremony);
      const signature = sign("sha256", Buffer.concat([authData, sha256(data)]), privateKey);
      return JSON.stringify({
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle,
        },
      });
    },
  };
}

function clientData(type: string, challenge: string, { origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest();

/** ES256 as COSE has it (RFC 9053 section 7.1.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return cbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]),
  );
}

type CborValue = number | string | Buffer | Map<string, CborValue> | Map<number, CborValue>;

/** The required subset of CBOR (RFC 8949 section 3). */
function cbor(value: CborValue): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, one]) => [cbor(key), cbor(one)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
