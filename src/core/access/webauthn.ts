import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { hashSecret, newLinkToken } from "../../shared/secrets.ts";
import type { FoundPasskey } from "../../store/passkey-store.ts";
import type { Store } from "../../store/store.ts";
import type { NewPasskey } from "../../store/user-documents.ts";

/** Site of passkeys: browsers offer them to no other site. */
export interface RelyingParty {
  /** Origin of the dashboard, for example `https://mail.example.com`. */
  readonly origin: string;
  /** Its host name. */
  readonly id: string;
}

export interface Webauthn {
  readonly isAvailable: boolean;
  /** Options for `navigator.credentials.create`, as JSON. @throws Fault passkey.not_available */
  beginRegistration(user: { readonly userId: string; readonly email: string }): Promise<string>;
  /** The passkey in an answer to these options; undefined: the answer is invalid or late. */
  finishRegistration(userId: string, responseJson: string): Promise<NewPasskey | undefined>;
  /**
   * Options for `navigator.credentials.get`, as JSON.
   * @param userId undefined: any user, who is identified by the passkey
   * @throws Fault passkey.not_available
   */
  beginProof(userId: string | undefined): Promise<string>;
  /** The passkey that has signed; undefined: it is invalid, late, or belongs to another user. */
  finishProof(userId: string | undefined, responseJson: string): Promise<FoundPasskey | undefined>;
}

export interface WebauthnOptions {
  readonly store: Pick<Store, "passkeys">;
  /** undefined: browsers create no passkeys for the dashboard's address. */
  readonly relyingParty: RelyingParty | undefined;
  readonly clock: Clock;
}

const CHALLENGE_MS = 5 * 60_000;
const NAME = "Hermod";
/** Far above the length that browsers send. */
const MAX_RESPONSE_LENGTH = 20_000;

type Purpose = "register" | "prove" | "sign_in";

/**
 * Passkeys (WebAuthn level 3). Each must verify its user on the device, so that it counts as two factors, and is
 * found on the device without a user name. A challenge is stored, is valid for one purpose and user, and is used up
 * by the first answer.
 */
export function createWebauthn({ store, relyingParty, clock }: WebauthnOptions): Webauthn {
  const { passkeys } = store;

  /** @throws Fault passkey.not_available */
  function party(): RelyingParty {
    if (relyingParty) return relyingParty;
    throw fault("passkey.not_available");
  }

  async function newChallenge(purpose: Purpose, userId = ""): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = Buffer.from(newLinkToken());
    const expireAt = new Date(clock.now().getTime() + CHALLENGE_MS);
    await passkeys.putChallenge({ _id: idOf(challenge.toString("base64url")), purpose, userId, expireAt });
    return new Uint8Array(challenge);
  }

  /** @param challenge in base64url, as returned by browsers */
  async function takeChallenge(purpose: Purpose, userId: string, challenge: string): Promise<boolean> {
    const stored = await passkeys.takeChallenge(idOf(challenge), clock.now());
    return stored?.purpose === purpose && stored.userId === userId;
  }

  return {
    isAvailable: relyingParty !== undefined,

    beginRegistration: async ({ userId, email }) => {
      const { id: rpID } = party();
      const { generateRegistrationOptions } = await library();
      const known = await passkeys.listOfUser(userId);
      const options = await generateRegistrationOptions({
        rpName: NAME,
        rpID,
        userName: email,
        userDisplayName: email,
        userID: new Uint8Array(Buffer.from(userId)),
        challenge: await newChallenge("register", userId),
        timeout: CHALLENGE_MS,
        attestationType: "none",
        excludeCredentials: known.map(({ _id: id, transports }) => ({ id, transports: [...transports] })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      return JSON.stringify(options);
    },

    finishRegistration: async (userId, responseJson) => {
      const { id: expectedRPID, origin: expectedOrigin } = party();
      const { verifyRegistrationResponse } = await library();
      const response = readResponse<RegistrationResponseJSON>(responseJson);
      if (!response) return undefined;
      const expectedChallenge = (challenge: string) => takeChallenge("register", userId, challenge);
      const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
      const verification = await right(verifyRegistrationResponse({ response, ...expected }));
      if (!verification?.verified) return undefined;
      const { credential, credentialBackedUp: backedUp } = verification.registrationInfo;
      const { id, publicKey, counter, transports = [] } = credential;
      return { id, publicKey, counter, transports: transports.map(String).slice(0, 10), backedUp };
    },

    beginProof: async (userId) => {
      const { id: rpID } = party();
      const { generateAuthenticationOptions } = await library();
      const known = userId === undefined ? [] : await passkeys.listOfUser(userId);
      const options = await generateAuthenticationOptions({
        rpID,
        challenge: await newChallenge(userId === undefined ? "sign_in" : "prove", userId),
        timeout: CHALLENGE_MS,
        userVerification: "required",
        allowCredentials: known.map(({ _id: id, transports }) => ({ id, transports: [...transports] })),
      });
      return JSON.stringify(options);
    },

    finishProof: async (userId, responseJson) => {
      const { id: expectedRPID, origin: expectedOrigin } = party();
      const { verifyAuthenticationResponse } = await library();
      const response = readResponse<AuthenticationResponseJSON>(responseJson);
      const passkey = response && (await passkeys.find(response.id));
      if (!passkey || (userId !== undefined && passkey.userId !== userId)) return undefined;
      const purpose = userId === undefined ? "sign_in" : "prove";
      const expectedChallenge = (challenge: string) => takeChallenge(purpose, userId ?? "", challenge);
      const { _id: id, publicKey, counter, transports } = passkey;
      const credential = {
        id,
        publicKey: new Uint8Array(publicKey),
        counter,
        transports: [...transports],
      };
      const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
      const verification = await right(verifyAuthenticationResponse({ response, credential, ...expected }));
      if (!verification?.verified) return undefined;
      const { newCounter, credentialBackedUp: backedUp } = verification.authenticationInfo;
      // Two signatures at the same time: the passkey was copied, or the user clicked twice.
      const use = { counter: newCounter, backedUp, lastUsedAt: clock.now() };
      return (await passkeys.use(passkey, use)) ? passkey : undefined;
    },
  };
}

const idOf = (challenge: string) => hashSecret(challenge);

/** Most processes never receive a passkey. */
const library = () => import("@simplewebauthn/server");

/** Reads an answer of a browser. The library validates its content. */
function readResponse<T extends { readonly id: string }>(json: string): T | undefined {
  if (json.length > MAX_RESPONSE_LENGTH) return undefined;
  try {
    const response = JSON.parse(json) as Partial<T> | null;
    return typeof response?.id === "string" ? (response as T) : undefined;
  } catch {
    return undefined;
  }
}

/** The library throws for every invalid answer. Faults of the store are passed on. */
async function right<T>(verification: Promise<T>): Promise<T | undefined> {
  try {
    return await verification;
  } catch (error) {
    if (error instanceof Fault) throw error;
    return undefined;
  }
}
