import type { Configuration } from "openid-client";
import type { Clock } from "../../shared/clock.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { MemberRole } from "../../store/documents.ts";

/** A provider of OpenID Connect, as the operator has set it up. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: the client is a public one, which PKCE protects. */
  readonly clientSecret: string | undefined;
  /** What the page calls it. */
  readonly name: string;
  readonly scopes: string;
  /** Where the provider sends browsers back to. */
  readonly redirectUri: string;
  /** The claim that roles follow from, as `groups` or `realm_access.roles`. */
  readonly roleClaim: string;
  /** The role of each value of it, the first one that is there; `*`: of whoever signs in. Empty: nobody comes in who is not linked. */
  readonly roles: readonly { readonly value: string; readonly role: MemberRole }[];
  /** The account that people come into; undefined: the first one. */
  readonly accountId: string | undefined;
}

/** What binds a request to a provider to the browser that began it. */
export interface OidcBinding {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Somebody, as the provider knows him. */
export interface OidcClaims {
  readonly issuer: string;
  readonly subject: string;
  /** Empty: the provider does not say, or has not verified it. */
  readonly verifiedEmail: string;
  /** Of the claim that roles follow from. */
  readonly roleValues: readonly string[];
}

export interface Oidc {
  readonly settings: OidcSettings;
  /** Where the browser is sent. @throws Fault oidc.unavailable */
  authorizationUrl(binding: OidcBinding): Promise<string>;
  /** @param query of the address that the provider has sent the browser back to. @throws Fault oidc.unavailable, oidc.refused */
  exchange(query: string, binding: OidcBinding): Promise<OidcClaims>;
}

export interface OidcOptions {
  readonly settings: OidcSettings;
  readonly clock: Clock;
  readonly log: Logger;
}

/** For each request to the provider. */
const TIMEOUT_SECONDS = 10;
const METADATA_MS = 60 * 60_000;
/** A provider that is down is not asked by everybody. */
const DOWN_MS = 5_000;
const RETRY_SECONDS = 10;

/** The authorization code flow with PKCE (OpenID Connect Core section 3.1, RFC 7636). */
export function createOidc({ settings, clock, log }: OidcOptions): Oidc {
  const { clientId, clientSecret, redirectUri } = settings;
  const issuer = new URL(settings.issuer);
  let asked: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | undefined;

  async function discover(): Promise<Configuration> {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks, ClientSecretPost, None } =
      await library();
    return discovery(
      issuer,
      clientId,
      {},
      clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        execute: [
          // The signature of the ID token is checked by the provider's keys, whatever protected its way.
          enableNonRepudiationChecks,
          // The settings allow that on this machine alone.
          ...(issuer.protocol === "http:" ? [allowInsecureRequests] : []),
        ],
      },
    );
  }

  /** Asked once for all who wait, and again once that is old. @throws Fault oidc.unavailable */
  async function configuration(): Promise<Configuration> {
    const nowMs = clock.monotonicMs();
    if (!asked || asked.untilMs <= nowMs) {
      const fresh = { configuration: discover(), untilMs: nowMs + METADATA_MS };
      asked = fresh;
      fresh.configuration.catch(() => {
        if (asked === fresh) asked = { ...fresh, untilMs: clock.monotonicMs() + DOWN_MS };
      });
    }
    try {
      return await asked.configuration;
    } catch (error) {
      throw unavailable(error);
    }
  }

  function unavailable(error: unknown): Fault {
    log.warn({ err: error, issuer: settings.issuer }, "the OpenID Connect provider cannot be reached");
    return fault("oidc.unavailable", { cause: error, retryAfterSeconds: RETRY_SECONDS });
  }

  return {
    settings,

    authorizationUrl: async ({ state, nonce, verifier }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        response_type: "code",
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      });
      return url.href;
    },

    exchange: async (query, { state, nonce, verifier }) => {
      const {
        authorizationCodeGrant,
        fetchUserInfo,
        ClientError,
        ResponseBodyError,
        AuthorizationResponseError,
      } = await library();
      const provider = await configuration();
      const currentUrl = new URL(redirectUri);
      currentUrl.search = query;
      try {
        const tokens = await authorizationCodeGrant(provider, currentUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
        const subject = String(claims.sub);
        const isWhole =
          "email" in claims &&
          (settings.roleClaim === "" || claimIn(claims, settings.roleClaim) !== undefined);
        const more =
          isWhole || provider.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await fetchUserInfo(provider, tokens.access_token, subject);
        return claimsOf({ ...more, ...claims }, settings, provider.serverMetadata().issuer);
      } catch (error) {
        const isRefusal =
          error instanceof AuthorizationResponseError ||
          (error instanceof ResponseBodyError && error.status < 500) ||
          (error instanceof ClientError && !TROUBLE.includes(error.code));
        if (!isRefusal) throw unavailable(error);
        log.info({ err: error, issuer: settings.issuer }, "the OpenID Connect provider refused a sign-in");
        throw fault("oidc.refused", { cause: error });
      }
    },
  };
}

/** A process that has no provider loads none of it. */
const library = () => import("openid-client");

/** The provider did not answer, or not in its own words; everything else is an answer that is not right. */
const TROUBLE: readonly (string | undefined)[] = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
];

function claimsOf(
  claims: Readonly<Record<string, unknown>>,
  { roleClaim }: OidcSettings,
  issuer: string,
): OidcClaims {
  const { sub, email, email_verified: isVerified } = claims;
  return {
    issuer,
    subject: String(sub),
    verifiedEmail: typeof email === "string" && isVerified === true ? email : "",
    roleValues: [claimIn(claims, roleClaim) ?? []].flat().filter((value) => typeof value === "string"),
  };
}

/** @param path as `realm_access.roles`; a claim whose own name has dots goes before */
function claimIn(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (path === "" || Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
