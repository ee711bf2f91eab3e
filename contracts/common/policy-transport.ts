import { z } from "zod";

const MOST = 4_294_967_295;
export const count = (description: string) => z.int().min(0).max(MOST).meta({ description });
export const wanted = (description: string) => count(description).optional();

const relayTls = z.string().meta({
  description:
    "`required` (STARTTLS or nothing), `implicit` (TLS from the start), `opportunistic` (where it is offered) or `none`.",
  examples: ["required"],
});
const directTls = z.string().meta({
  description:
    "`opportunistic` (where it is offered and works), `required` (TLS or nothing, whatever the certificate) or `verified` (TLS with a certificate of the server's name).",
  examples: ["opportunistic"],
});
const dkim = z.string().meta({
  description:
    "DKIM signatures that Hermod adds: `both` (RSA and Ed25519), `rsa`, `ed25519` or `none`. Missing: `rsa` for a relay of a provider that refuses two signatures (Amazon SES), else `both`.",
  examples: ["rsa"],
});
const host = z.string().meta({ description: "A host name or an address.", examples: ["relay.example.com"] });
const username = z.string().meta({ description: "Whom the relay knows; empty: nobody logs in." });

/** Exactly one of its fields is there: what a transport is, is judged by the core. */
export const transport = z
  .object({
    sandbox: z.object({}).optional().meta({ description: "Captures messages: nothing leaves." }),
    smtp: z
      .object({
        servers: z.array(z.object({ host, port: count("The port that is used.") })),
        tls: relayTls,
        username,
        max_connections: count("Connections kept to each server at most."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "An upstream relay, without its password." }),
    direct: z
      .object({
        tls: directTls,
        max_connections: count("Connections kept to each address at most."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "Straight to the servers of the recipient's domain." }),
  })
  .meta({ id: "PolicyTransport", description: "One way out: `sandbox`, `smtp` or `direct`." });

export const newTransport = z
  .strictObject({
    sandbox: z.strictObject({}).optional().meta({ description: "Captures messages: nothing leaves." }),
    smtp: z
      .strictObject({
        servers: z
          .array(z.strictObject({ host, port: wanted("Missing: 587, or 465 with implicit TLS.") }))
          .meta({ description: "Tried in order; one at least." }),
        tls: relayTls.optional(),
        username: username.optional(),
        password: z.string().optional().meta({
          description:
            "Never shown again. Missing beside a `username`: a policy that is replaced keeps the one that it has for this user at these servers, if TLS is no weaker.",
          format: "password",
        }),
        max_connections: wanted("Connections kept to each server at most (10)."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "An upstream relay. Policies of members lead to public addresses alone." }),
    direct: z
      .strictObject({
        tls: directTls.optional(),
        max_connections: wanted("Connections kept to each address at most (5)."),
        dkim: dkim.optional(),
      })
      .optional()
      .meta({ description: "Straight to the servers of the recipient's domain." }),
  })
  .meta({
    id: "NewPolicyTransport",
    description: "One way out: exactly one of `sandbox`, `smtp`, `direct`.",
  });
