import type { Configuration } from "openid-client";
import type { Clock } from "../../shared/clock.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { MemberRole } from "../../store/documents.ts";

/** OpenID Connect provider, as configured by the operator. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: a public client, protected by PKCE. */
  readonly clientSecret: string | undefined;
  /** Name on the sign-in page. */
  readonly name: string;
  readonly scopes: string;
  /** Address to which the provider sends browsers back. */
  readonly redirectUri: string;
  /** Claim that determines roles, for example `groups` or `realm_access.roles`. */
  readonly roleClaim: string;
  /**
   * Role for each value of the claim; the first matching item applies. `*` matches every user. Empty: only linked
   * users can sign in.
   */
  readonly roles: readonly { readonly value: string; readonly role: MemberRole }[];
  /** Account that new users join; undefined: the first one. */
  readonly accountId: string | undefined;
}

/** Binding of a request to the browser that started it. */
export interface OidcBinding {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Identity of a user at the provider. */
export interface OidcClaims {
  readonly issuer: string;
  readonly subject: string;
  /** Empty: the provider does not supply an address, or has not verified it. */
  readonly verifiedEmail: string;
  /** Values of the role claim. */
  readonly roleValues: readonly string[];
}

export interface Oidc {
  readonly settings: OidcSettings;
  /** Address to which the browser is sent. @throws Fault oidc.unavailable */
  authorizationUrl(binding: OidcBinding): Promise<string>;
  /**
   * @param query query of the address to which the provider has sent the browser back. @throws Fault
   *   oidc.unavailable, oidc.refused
   */
  exchange(query: string, binding: OidcBinding): Promise<OidcClaims>;
}

export interface OidcOptions {
  readonly settings: OidcSettings;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Timeout of each request to the provider. */
const TIMEOUT_SECONDS = 10;
const METADATA_MS = 60 * 60_000;
/** While the provider is down, not every caller sends a request. */
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
          // The signature of the ID token is always verified with the provider's keys, even if TLS protected its
          // transmission.
          enableNonRepudiationChecks,
          // The settings permit HTTP only on this machine.
          ...(issuer.protocol === "http:" ? [allowInsecureRequests] : []),
        ],
      },
    );
  }

  /** Shared by all waiting callers, and fetched again when it is outdated. @throws Fault oidc.unavailable */
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
          (error instanceof ClientError && !ERRORS.includes(error.code));
        if (!isRefusal) throw unavailable(error);
        log.info({ err: error, issuer: settings.issuer }, "the OpenID Connect provider refused a sign-in");
        throw fault("oidc.refused", { cause: error });
      }
    },
  };
}

/** A process without a provider does not load the library. */
const library = () => import("openid-client");

/** The provider did not answer, or answered with an unexpected form. All other errors are invalid answers. */
const ERRORS: readonly (string | undefined)[] = [
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

/** @param path for example `realm_access.roles`; a claim with dots in its own name takes precedence */
function claimIn(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (path === "" || Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
