import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { reading } from "../common/session-access.ts";

const perSecond = (owner: string) =>
  z
    .int()
    .nullable()
    .meta({
      description: `Maximum number of sends per second of ${owner}. \`null\` if there is no limit.`,
      examples: [10_000],
    });

const smtpEndpoint = z.object({
  host: z
    .string()
    .nullable()
    .meta({
      description:
        "Host for clients. `null` if the relay listens on every address and `HERMOD_SMTP_URLS` is not set.",
      examples: ["mail.example.com"],
    }),
  port: z.int().meta({ description: "TCP port.", examples: [587] }),
  tls: z.string().meta({
    description:
      "`starttls`, or `implicit` if the connection starts with TLS; later versions may add values.",
    examples: ["starttls"],
  }),
});

const resourceLimit = z.object({
  resource: z.string().meta({
    description:
      "`senders`, `domains`, `policies`, `webhooks`, `alert_rules` or `workspaces`; later versions may add resources.",
    examples: ["domains"],
  }),
  limit: z.int().meta({ description: "Maximum number for an account.", examples: [1000] }),
  used: z.int().meta({ description: "Number that the account has.", examples: [3] }),
});

const rateLimit = z.object({
  rate: z.string().meta({
    description:
      "`account_sends` (mail and alerts of all keys and members) or `account_reads` (calls of keys that read or cancel); later versions may add limits.",
    examples: ["account_sends"],
  }),
  limit: z
    .int()
    .meta({ description: "Maximum number in one window, for each core process.", examples: [10_000] }),
  window_seconds: z.int().meta({ description: "Length of a window.", examples: [1] }),
  used: z
    .int()
    .nullable()
    .meta({
      description:
        "Number that the core has counted in the current window, at most `limit`. `null` if several core processes run, because each process knows only its own count.",
      examples: [120],
    }),
  reset_seconds: z
    .int()
    .nullable()
    .meta({
      description:
        "Seconds until the current window ends, rounded up. Longer than one window after a message to more recipients than `limit`. `null` as for `used`.",
      examples: [1],
    }),
});

const providerLimit = z.object({
  provider: z.string().meta({
    description: "Mailbox provider, or relay provider (`ses`).",
    examples: ["gmail"],
  }),
  measure: z.string().meta({ description: "`complaints` or `bounces`.", examples: ["complaints"] }),
  level: z.string().meta({
    description:
      "`target`: the provider recommends to stay below the rate; `limit`: the provider takes action at this rate.",
    examples: ["limit"],
  }),
  rate: z.number().meta({ description: "Share of messages, 0 to 1.", examples: [0.003] }),
  source: z.string().meta({
    description: "Page of the provider that states the rate.",
    examples: ["https://support.google.com/a/answer/81126"],
  }),
});

export const installationFacts = z
  .object({
    version: z.string().meta({ description: "Release of Hermod.", examples: ["0.1.0"] }),
    commit: z
      .string()
      .nullable()
      .meta({
        description:
          "Commit of the build: 12 hexadecimal digits, with `-changed` if its files differed. `null` if the commit is unknown: Hermod runs from source files, or was built without git and `BUILD_COMMIT`.",
        examples: ["0123456789ab"],
      }),
    base_url: z
      .string()
      .nullable()
      .meta({
        description:
          "Address of the API and of links in mail: `HERMOD_BASE_URL` of the core, or else the address of its own process. `null` if neither is known.",
        examples: ["https://mail.example.com"],
      }),
    smtp: z
      .object({
        endpoints: z.array(smtpEndpoint),
        self_signed: z.boolean().nullable().meta({
          description: "Whether the certificate of the relay is self-signed. `null` if this is not known.",
        }),
      })
      .nullable()
      .meta({
        description:
          "SMTP relay: `HERMOD_SMTP_URLS` of the core, or else the ports of its own process. `null` if neither is known.",
      }),
    system_mail: z.string().meta({
      description:
        "Handling of mail that Hermod itself writes (invitations, password resets): `off`, `captured` or `sent`; later versions may add values.",
      examples: ["sent"],
    }),
    sign_in: z.object({
      passkeys: z.boolean().meta({ description: "Whether passkeys work at this address." }),
      oidc_name: z
        .string()
        .nullable()
        .meta({
          description: "Name of the OpenID Connect provider. `null` if there is none.",
          examples: ["Login"],
        }),
      password_reset: z
        .boolean()
        .meta({ description: "Whether users can reset a forgotten password by mail." }),
      sign_up: z.boolean().meta({ description: "Whether anyone can sign up." }),
    }),
    limits: z.object({
      key_sends_per_second: perSecond("one key"),
      account_sends_per_second: perSecond("the account"),
      message_bytes: z.int().meta({
        description: "Maximum size of a message in bytes, encoded for delivery.",
        examples: [26_214_400],
      }),
      body_bytes: z
        .int()
        .meta({ description: "Maximum size of `html`, and of `text`, in bytes.", examples: [5_242_880] }),
      to: z.int().meta({ description: "Maximum number of addresses in `to`.", examples: [50] }),
      headers: z.int().meta({ description: "Maximum number of custom header fields.", examples: [50] }),
      attachments: z.int().meta({ description: "Maximum number of attachments.", examples: [100] }),
      send_at_days: z
        .int()
        .meta({ description: "Maximum number of days that `send_at` can be in the future.", examples: [30] }),
      smtp_recipients: z
        .int()
        .meta({ description: "Maximum number of recipients of one SMTP submission.", examples: [1000] }),
      request_body_bytes: z.int().meta({
        description:
          "Maximum body size in bytes of a request with an API key, at the HTTP edge that responds: its setting `HERMOD_HTTP_BODY_MAX_BYTES`, or less if its memory allows less. Other edges can have other limits.",
        examples: [37_748_736],
      }),
      session_body_bytes: z.int().meta({
        description: "Maximum body size in bytes of a request with a session.",
        examples: [8_388_608],
      }),
      rates: z.array(rateLimit).meta({
        description:
          "Rate limits of the account, with their current use. Limits of single keys are not listed: the `RateLimit` header of each response to a key has their use. Empty if there is no rate limit.",
      }),
      resources: z.array(resourceLimit),
    }),
    provider_limits: z.array(providerLimit).meta({
      description: "Rates that providers publish for complaints and hard bounces.",
    }),
  })
  .meta({
    id: "Installation",
    description: "Facts about the installation. `null` if the core that responds does not know the fact.",
  });

const c = initContract();

export const installation = c.router({
  getInstallation: {
    method: "GET",
    path: "/api/installation",
    summary: "Get the installation and its limits",
    description:
      "Returns addresses, sign-in methods, limits with their use by the account, and rates that providers publish. The values come from the settings, counts and ports of the core that responds. The HTTP edge adds its body limits.",
    ...reading({ access: "account.read", success: { 200: installationFacts } }),
  },
});
