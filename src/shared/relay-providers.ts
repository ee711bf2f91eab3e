/** Providers of upstream relays whose notices are understood. */
export const relayProviders = ["ses", "postmark", "mailgun", "sendgrid"] as const;
export type RelayProvider = (typeof relayProviders)[number];

/** The names of their servers for SMTP. */
const HOSTS: Readonly<Record<RelayProvider, RegExp>> = {
  ses: /^email-smtp(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com$/,
  postmark: /^smtp(?:-broadcasts)?\.postmarkapp\.com$/,
  mailgun: /^smtp(?:\.[a-z]{2})?\.mailgun\.org$/,
  sendgrid: /^smtp(?:\.[a-z]{2})?\.sendgrid\.net$/,
};

/** The provider whose relay a server is; undefined: none that is known here. */
export function relayProviderOf(host: string): RelayProvider | undefined {
  const name = host.toLowerCase().replace(/\.$/, "");
  return relayProviders.find((provider) => HOSTS[provider].test(name));
}

export function isRelayProvider(name: string): name is RelayProvider {
  return relayProviders.some((provider) => provider === name);
}
