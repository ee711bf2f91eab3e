import { createPublicKey } from "node:crypto";
import { list, optional } from "./setting-kinds.ts";

const TOKEN = /^[A-Za-z0-9_-]{32,128}$/;
const TOPIC = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

function isPublicKey(text: string): boolean {
  try {
    createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return true;
  } catch {
    return false;
  }
}

/** What providers of upstream relays tell of messages that left through them. */
export const providerSettings = {
  HERMOD_PROVIDER_SECRET: optional()
    .refine(
      (given) => given === undefined || TOKEN.test(given),
      "must be 32 to 128 characters from A-Z, a-z, 0-9, _ and -",
    )
    .describe(
      "Secret of the paths /inbound/providers/…/<secret>, to which providers of upstream relays post what became of messages; empty: nobody is heard.",
    ),
  HERMOD_SES_TOPICS: list()
    .refine((arns) => arns.every((arn) => TOPIC.test(arn)), "must be ARNs of SNS topics, comma-separated")
    .describe(
      "ARNs of the SNS topics to which Amazon SES publishes, comma-separated; empty: SES is not heard.",
    ),
  HERMOD_MAILGUN_SIGNING_KEY: optional().describe(
    "Mailgun's HTTP webhook signing key; empty: Mailgun is not heard.",
  ),
  HERMOD_SENDGRID_VERIFICATION_KEY: optional()
    .refine(
      (given) => given === undefined || isPublicKey(given),
      "must be a public key in base64, as SendGrid shows it",
    )
    .describe("SendGrid's verification key for the signed event webhook; empty: SendGrid is not heard."),
};
