/** Providers of upstream relays with supported notices. */
export const relayProviders = ["ses", "postmark", "mailgun", "sendgrid"] as const;
export type RelayProvider = (typeof relayProviders)[number];

interface RelayProfile {
  readonly title: string;
  /** Names of its SMTP servers. */
  readonly hosts: RegExp;
  /** It refuses a message with two DKIM-Signature fields. */
  readonly refusesTwoSignatures?: true;
}

const PROFILES: Readonly<Record<RelayProvider, RelayProfile>> = {
  ses: {
    title: "Amazon SES",
    // Also an interface endpoint in a private network (VPC).
    hosts:
      /^(?:email-smtp(?:-fips)?\.[a-z0-9-]+|vpce-[a-z0-9-]+\.email-smtp(?:-fips)?\.[a-z0-9-]+\.vpce)\.amazonaws\.com$/,
    // "554 Transaction failed: Duplicate header 'DKIM-Signature'": mailcow/mailcow-dockerized#4052, axllent/mailpit#642,
    // Billionmail/BillionMail#289, stalwartlabs/stalwart#77, jhawthorn/dkim#6.
    refusesTwoSignatures: true,
  },
  postmark: { title: "Postmark", hosts: /^smtp(?:-broadcasts)?\.postmarkapp\.com$/ },
  mailgun: { title: "Mailgun", hosts: /^smtp(?:\.[a-z]{2})?\.mailgun\.org$/ },
  sendgrid: { title: "SendGrid", hosts: /^smtp(?:\.[a-z]{2})?\.sendgrid\.net$/ },
};

/** Provider of a relay server; undefined: unknown. */
export function relayProviderOf(host: string): RelayProvider | undefined {
  const name = host.toLowerCase().replace(/\.$/, "");
  return relayProviders.find((provider) => PROFILES[provider].hosts.test(name));
}

/** Title of the provider of one of these servers that refuses two DKIM-Signature fields; undefined: none is known. */
export function refuserOfTwoSignatures(hosts: readonly string[]): string | undefined {
  for (const host of hosts) {
    const provider = relayProviderOf(host);
    if (provider && PROFILES[provider].refusesTwoSignatures) return PROFILES[provider].title;
  }
  return undefined;
}

export function isRelayProvider(name: string): name is RelayProvider {
  return relayProviders.some((provider) => provider === name);
}
