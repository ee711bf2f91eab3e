import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { reading } from "../common/session-access.ts";

const perSecond = (whose: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `Sends per second of ${whose}; null: no limit.`, examples: [10_000] });

const smtpEndpoint = z.object({
  host: z
    .string()
    .nullable()
    .meta({
      description:
        "Host for clients; null: the relay listens on every address, and `HERMOD_SMTP_URLS` is not set.",
      examples: ["mail.example.com"],
    }),
  port: z.int().meta({ description: "TCP port.", examples: [587] }),
  tls: z.string().meta({
    description: "`starttls`, or `implicit` where TLS comes first; later versions may know more.",
    examples: ["starttls"],
  }),
});

const resourceLimit = z.object({
  resource: z.string().meta({
    description:
      "`senders`, `domains`, `policies`, `webhooks`, `alert_rules` or `workspaces`; later versions may know more.",
    examples: ["domains"],
  }),
  limit: z.int().meta({ description: "Most that an account may have.", examples: [1000] }),
  used: z.int().meta({ description: "Number that the account has.", examples: [3] }),
});

const rateLimit = z.object({
  rate: z.string().meta({
    description:
      "`account_sends` (mail and alerts of all keys and members) or `account_reads` (calls of keys that read or cancel); later versions may know more.",
    examples: ["account_sends"],
  }),
  limit: z.int().meta({ description: "Most in one window, at each core process.", examples: [10_000] }),
  window_seconds: z.int().meta({ description: "Length of a window.", examples: [1] }),
  used: z
    .int()
    .nullable()
    .meta({
      description:
        "Number that the core has counted in the current window, at most `limit`; null: several core processes run, and each knows its own count alone.",
      examples: [120],
    }),
  reset_seconds: z
    .int()
    .nullable()
    .meta({
      description:
        "Seconds until the current window ends, rounded up; more than a window after a message to more recipients than `limit`. null: as for `used`.",
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
      "`target`: the provider recommends to stay below the rate; `limit`: the provider acts from it on.",
    examples: ["limit"],
  }),
  rate: z.number().meta({ description: "Share of messages, 0 to 1.", examples: [0.003] }),
  source: z.string().meta({
    description: "The provider's own page.",
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
        description: "Commit that the release was built from; null: it was not built.",
        examples: ["0123456789ab"],
      }),
    base_url: z
      .string()
      .nullable()
      .meta({
        description:
          "Address of the API and of links in mail: `HERMOD_BASE_URL` of the core, else the address of its own process; null: neither is known.",
        examples: ["https://mail.example.com"],
      }),
    smtp: z
      .object({
        endpoints: z.array(smtpEndpoint),
        self_signed: z
          .boolean()
          .nullable()
          .meta({ description: "Whether the relay signs its certificate itself; null: not known." }),
      })
      .nullable()
      .meta({
        description:
          "The SMTP relay: `HERMOD_SMTP_URLS` of the core, else the ports of its own process; null: neither is known.",
      }),
    system_mail: z.string().meta({
      description:
        "Mail of Hermod's own (invitations, new passwords): `off`, `captured` or `sent`; later versions may know more.",
      examples: ["sent"],
    }),
    sign_in: z.object({
      passkeys: z.boolean().meta({ description: "Passkeys work at this address." }),
      oidc_name: z
        .string()
        .nullable()
        .meta({
          description: "Name of the OpenID Connect provider; null: there is none.",
          examples: ["Login"],
        }),
      password_reset: z.boolean().meta({ description: "Forgotten passwords are replaced by mail." }),
      sign_up: z.boolean().meta({ description: "Strangers may sign up." }),
    }),
    limits: z.object({
      key_sends_per_second: perSecond("one key"),
      account_sends_per_second: perSecond("the account"),
      message_bytes: z
        .int()
        .meta({ description: "Largest message, encoded for delivery.", examples: [26_214_400] }),
      body_bytes: z
        .int()
        .meta({ description: "Largest `html` and largest `text`, each.", examples: [5_242_880] }),
      to: z.int().meta({ description: "Most addresses in `to`.", examples: [50] }),
      headers: z.int().meta({ description: "Most custom header fields.", examples: [50] }),
      attachments: z.int().meta({ description: "Most attachments.", examples: [100] }),
      send_at_days: z.int().meta({ description: "Most days that `send_at` may lie ahead.", examples: [30] }),
      smtp_recipients: z
        .int()
        .meta({ description: "Most recipients of one SMTP submission.", examples: [1000] }),
      request_body_bytes: z.int().meta({
        description:
          "Largest body of a request with an API key, at the HTTP edge that answers: its setting `HERMOD_HTTP_BODY_MAX_BYTES`, less where its memory allows less. Other edges may differ.",
        examples: [37_748_736],
      }),
      session_body_bytes: z.int().meta({
        description: "Largest body of a request with a session.",
        examples: [8_388_608],
      }),
      rates: z.array(rateLimit).meta({
        description:
          "Rate limits of the account with their use at the moment of the answer. Limits of single keys are not listed: `RateLimit` of each answer to a key has their use. Empty: no rate limit.",
      }),
      resources: z.array(resourceLimit),
    }),
    provider_limits: z.array(providerLimit).meta({
      description: "Rates that providers publish for complaints and hard bounces.",
    }),
  })
  .meta({
    id: "Installation",
    description: "Facts about the installation. null: the core that answers cannot know the fact.",
  });

const c = initContract();

export const installation = c.router({
  getInstallation: {
    method: "GET",
    path: "/api/installation",
    summary: "See the installation and its limits",
    description:
      "Shows addresses, ways to sign in, limits with their use by the account, and rates that providers publish. The core answers from its settings, its own counts and the ports of its own process; the HTTP edge adds its limits of bodies.",
    ...reading({ access: "account.read", success: { 200: installationFacts } }),
  },
});
