import { count, flag, list, optional, optionalPort, port, text } from "./setting-kinds.ts";
import { isAddressRange } from "./shared/address-range.ts";
import { parseSmtpUrl, SMTP_URL_FORM } from "./shared/smtp-url.ts";

/** Addresses, certificate and limits of the SMTP relay. */
export const relaySettings = {
  HERMOD_SMTP_HOST: text("0.0.0.0").describe("Address on which the SMTP relay listens."),
  HERMOD_SMTP_PORT: port(2587).describe("Port of the SMTP relay with STARTTLS. 0: any free port."),
  HERMOD_SMTPS_PORT: optionalPort().describe(
    "Port of the SMTP relay with implicit TLS. 0: any free port. Empty: none.",
  ),
  HERMOD_SMTP_URLS: list()
    .refine((urls) => urls.every((url) => parseSmtpUrl(url) !== undefined), SMTP_URL_FORM)
    .transform((urls) => urls.flatMap((url) => parseSmtpUrl(url) ?? []))
    .describe(
      "Public addresses of the SMTP relay that the dashboard shows, for example smtp://mail.example.com:587,smtps://mail.example.com:465. Empty: addresses of the core's own process, if it serves the relay.",
    ),
  HERMOD_SMTP_SESSIONS_MAX: count(2000, 1).describe(
    "Maximum number of open SMTP sessions of the relay. One account can have at most three quarters of them, one key at most half.",
  ),
  HERMOD_SMTP_PROXY_NETWORKS: list()
    .refine((ranges) => ranges.every(isAddressRange), "must be IP addresses or CIDR ranges, comma-separated")
    .describe(
      "IP addresses or CIDR ranges of load balancers, comma-separated. Their connections to the SMTP ports must begin with the PROXY protocol, version 1 or 2.",
    ),
  HERMOD_SMTP_SHOW_CLIENT: flag(false).describe(
    "Adds the HELO name and the IP address of the submitting client to the Received field of its messages.",
  ),
  HERMOD_SMTP_INSECURE_LOOPBACK: flag(false).describe(
    "Accepts SMTP clients on this machine without TLS and without authentication. For benchmarks only.",
  ),
  HERMOD_SMTP_INSECURE_KEY: optional().describe(
    "Sending key for HERMOD_SMTP_INSECURE_LOOPBACK, in the form key:password. Empty: the key in first-run.json.",
  ),
  HERMOD_SMTP_TLS_CERT: optional().describe(
    "PEM file with the certificate of the SMTP listeners. It is read again when it changes. Empty: the relay uses a self-signed certificate, and bounces are accepted without TLS.",
  ),
  HERMOD_SMTP_TLS_KEY: optional().describe("PEM file with the private key of HERMOD_SMTP_TLS_CERT."),
};
