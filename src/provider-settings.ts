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

/** Settings for event notices from the providers of upstream relays. */
export const providerSettings = {
  HERMOD_PROVIDER_SECRET: optional()
    .refine(
      (given) => given === undefined || TOKEN.test(given),
      "must be 32 to 128 characters of A-Z, a-z, 0-9, _ and -",
    )
    .describe(
      "Secret in the paths /inbound/providers/…/<secret>, to which providers of upstream relays post notices about messages. Empty: no notices are accepted.",
    ),
  HERMOD_SES_TOPICS: list()
    .refine((arns) => arns.every((arn) => TOPIC.test(arn)), "must be ARNs of SNS topics, comma-separated")
    .describe(
      "ARNs of the SNS topics to which Amazon SES publishes, comma-separated. Empty: no notices of SES are accepted.",
    ),
  HERMOD_MAILGUN_SIGNING_KEY: optional().describe(
    "HTTP webhook signing key of Mailgun. Empty: no notices of Mailgun are accepted.",
  ),
  HERMOD_SENDGRID_VERIFICATION_KEY: optional()
    .refine(
      (given) => given === undefined || isPublicKey(given),
      "must be a public key in base 64, in the form that SendGrid shows",
    )
    .describe(
      "Verification key of SendGrid's signed event webhook. Empty: no notices of SendGrid are accepted.",
    ),
};
