import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export const CLIENT_ID = "hermod";
export const CLIENT_SECRET = "a secret that both know";

/** Claims of the provider about a user; `sub` is the account name at the provider. */
export type Claims = { readonly sub: string } & Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** Signs this user in at the provider without a prompt. */
  become(claims: Claims): void;
  /** Has the provider sign later ID tokens with keys that it does not publish (true) or publishes (false). */
  forge(isForging: boolean): void;
  /** Follows the provider's redirects as a browser does, up to the return address. */
  visit(url: string): Promise<URL>;
  /** Stops the provider. */
  close(): Promise<void>;
}

/** A third-party OpenID Connect provider on this machine. */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let person: Claims = { sub: "nobody" };
  let isForging = false;

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["groups", "realm_access"] },
    cookies: { keys: ["of the test"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: {
      Grant: 600,
      Session: 600,
      Interaction: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    findAccount: async (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ ...person, sub: accountId }),
    }),
    loadExistingGrant: async (context: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (isForging && request.url === "/token") replaceSignature(response);
    if (!request.url?.startsWith("/interaction/")) return void answer(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: person.sub } });
  });

  return {
    issuer,
    forge: (next) => {
      isForging = next;
    },
    become: (claims) => {
      person = claims;
    },
    visit: async (first) => {
      const cookies = new Map<string, string>();
      for (let url = new URL(first), n = 0; n < 10; n++) {
        if (!url.href.startsWith(issuer)) return url;
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(url, { redirect: "manual", headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [pair = ""] = line.split(";");
          cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
        }
        const location = response.headers.get("location");
        if (location === null) throw new Error(`the provider stopped at ${url}: ${await response.text()}`);
        url = new URL(location, url);
      }
      throw new Error("the provider goes round in circles");
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Replaces the signature of the ID token in an answer by another of the same length. */
function replaceSignature(response: ServerResponse): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    const { id_token: idToken } = JSON.parse(String(body)) as { readonly id_token: string };
    const [head, payload, signature = ""] = idToken.split(".");
    const forged = [head, payload, [...signature].reverse().join("")].join(".");
    return end(String(body).replace(idToken, forged));
  }) as ServerResponse["end"];
}
