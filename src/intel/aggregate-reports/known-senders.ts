import type { DmarcRow } from "./dmarc-report.ts";

/** Services by the domains of their return paths and signatures, including subdomains. */
const SENDERS: readonly { readonly name: string; readonly domains: readonly string[] }[] = [
  { name: "Google", domains: ["google.com", "gmail.com", "googlemail.com", "gappssmtp.com"] },
  {
    name: "Microsoft 365",
    domains: ["outlook.com", "onmicrosoft.com", "hotmail.com", "microsoft.com", "office365.com"],
  },
  { name: "Yahoo", domains: ["yahoo.com", "aol.com", "yahoodns.net"] },
  { name: "Amazon SES", domains: ["amazonses.com"] },
  { name: "SendGrid", domains: ["sendgrid.net", "sendgrid.info", "sendgrid.com"] },
  { name: "Mailgun", domains: ["mailgun.org", "mailgun.net", "mailgun.com"] },
  { name: "Mailchimp", domains: ["mcsv.net", "mcdlv.net", "rsgsv.net", "mandrillapp.com", "mailchimp.com"] },
  { name: "Salesforce", domains: ["salesforce.com", "exacttarget.com", "pardot.com"] },
  {
    name: "Zoho",
    domains: ["zoho.com", "zoho.eu", "zoho.in", "zohomail.com", "zcsend.net", "zeptomail.net"],
  },
  { name: "Postmark", domains: ["mtasv.net", "postmarkapp.com"] },
  { name: "SparkPost", domains: ["sparkpostmail.com", "sparkpost.com"] },
  { name: "Brevo", domains: ["sendinblue.com", "brevo.com", "brevosend.com"] },
  { name: "Mailjet", domains: ["mailjet.com", "mailjet.net"] },
  { name: "HubSpot", domains: ["hubspotemail.net", "hubspot.com", "hs-send.com"] },
  { name: "Zendesk", domains: ["zendesk.com"] },
  { name: "Fastmail", domains: ["messagingengine.com", "fastmail.com"] },
  { name: "Proton", domains: ["protonmail.ch", "proton.me"] },
  { name: "Resend", domains: ["resend.com", "resend.dev"] },
];

const names = new Map(
  SENDERS.flatMap(({ name, domains }) => domains.map((domain) => [domain, name] as const)),
);

/**
 * The service that sent the mail of a row, by an authenticated domain: anyone can use an unauthenticated one. The SPF
 * domain belongs to the connecting server. The DKIM domain may belong to the first sender of forwarded mail.
 */
export function senderOf({ spf, dkim }: Pick<DmarcRow, "spf" | "dkim">): string | undefined {
  for (const { domain, result } of [...spf, ...dkim]) {
    const sender = result === "pass" ? knownSender(domain) : undefined;
    if (sender !== undefined) return sender;
  }
  return undefined;
}

function knownSender(domain: string): string | undefined {
  const labels = domain.replace(/\.$/, "").split(".");
  for (let first = 0; first < labels.length - 1; first++) {
    const name = names.get(labels.slice(first).join("."));
    if (name !== undefined) return name;
  }
  return undefined;
}
