import { randomBytes } from "node:crypto";

/** RFC 6238 with the parameters that every app supports: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 section 4 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Clocks differ, and users type slowly (RFC 6238 section 5.2). */
const WINDOW = 1;
const ISSUER = "Hermod";

/** A secret for an app, in base 32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** Address of the secret that apps read from a QR code. */
export async function totpUrl(secret: string, email: string): Promise<string> {
  return (await totpOf(secret, email)).toString();
}

/** Time step of a code, at most one before or after the present one; undefined: the code matches none of them. */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = (await totpOf(secret, "")).validate({ token, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

async function totpOf(secret: string, label: string) {
  // Most processes never receive a code.
  const { TOTP } = await import("otpauth");
  return new TOTP({
    issuer: ISSUER,
    label,
    secret,
    algorithm: "SHA1",
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });
}
