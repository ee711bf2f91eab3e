import { z } from "zod";

const MOST = 4_294_967_295;
export const count = (description: string) => z.int().min(0).max(MOST).meta({ description });
export const wanted = (description: string) => count(description).optional();

const relayTls = z.string().meta({
  description:
    "TLS mode: `required` (STARTTLS, otherwise no delivery), `implicit` (TLS from the start), `opportunistic` (TLS if the server offers it) or `none`.",
  examples: ["required"],
});
const directTls = z.string().meta({
  description:
    "TLS mode: `opportunistic` (TLS if the server offers it and it works), `required` (TLS with any certificate, otherwise no delivery) or `verified` (TLS with a valid certificate for the server name).",
  examples: ["opportunistic"],
});
const dkim = z.string().meta({
  description:
    "DKIM signatures that Hermod adds: `both` (RSA and Ed25519), `rsa`, `ed25519` or `none`. Default: `rsa` for a relay of a provider that rejects two signatures (Amazon SES), otherwise `both`.",
  examples: ["rsa"],
});
const host = z.string().meta({ description: "Host name or IP address.", examples: ["relay.example.com"] });
const username = z
  .string()
  .meta({ description: "User name for the relay. Empty if Hermod does not log in." });

/** Exactly one of the fields is present. The core checks this. */
export const transport = z
  .object({
    sandbox: z
      .object({})
      .optional()
      .meta({ description: "Transport that captures messages instead of sending them." }),
    smtp: z
      .object({
        servers: z.array(z.object({ host, port: count("Port.") })),
        tls: relayTls,
        username,
        max_connections: count("Maximum number of connections to each server."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "Upstream relay, without its password." }),
    direct: z
      .object({
        tls: directTls,
        max_connections: count("Maximum number of connections to each address."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "Direct delivery to the mail servers of the recipient's domain." }),
  })
  .meta({ id: "PolicyTransport", description: "Transport: `sandbox`, `smtp` or `direct`." });

export const newTransport = z
  .strictObject({
    sandbox: z
      .strictObject({})
      .optional()
      .meta({ description: "Transport that captures messages instead of sending them." }),
    smtp: z
      .strictObject({
        servers: z
          .array(z.strictObject({ host, port: wanted("Port. Default: 587, or 465 with implicit TLS.") }))
          .meta({ description: "Servers, which Hermod tries in order. At least one is required." }),
        tls: relayTls.optional(),
        username: username.optional(),
        password: z.string().optional().meta({
          description:
            "Password for the relay. Hermod never returns it. If it is missing while `username` is set, a replaced policy keeps its password for this user at these servers, provided that TLS is not weaker.",
          format: "password",
        }),
        max_connections: wanted("Maximum number of connections to each server. Default: 10."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "Upstream relay. A policy of a member can use public addresses only." }),
    direct: z
      .strictObject({
        tls: directTls.optional(),
        max_connections: wanted("Maximum number of connections to each address. Default: 5."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "Direct delivery to the mail servers of the recipient's domain." }),
  })
  .meta({
    id: "NewPolicyTransport",
    description: "Transport: exactly one of `sandbox`, `smtp` and `direct`.",
  });
