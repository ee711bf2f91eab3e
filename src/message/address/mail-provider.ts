/** Domains of large mail providers with addresses of users, by the known name of the provider. */
const providers: Readonly<Record<string, readonly string[]>> = {
  google: ["gmail.com", "googlemail.com"],
  microsoft: [
    "outlook.com",
    "hotmail.com",
    "live.com",
    "msn.com",
    "hotmail.co.uk",
    "hotmail.fr",
    "outlook.fr",
  ],
  yahoo: ["yahoo.com", "ymail.com", "rocketmail.com", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "aol.com"],
  apple: ["icloud.com", "me.com", "mac.com"],
  gmx: ["gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com"],
  "web.de": ["web.de"],
  "t-online": ["t-online.de", "magenta.de"],
  proton: ["proton.me", "protonmail.com", "pm.me"],
  yandex: ["yandex.ru", "yandex.com", "ya.ru"],
  "mail.ru": ["mail.ru", "bk.ru", "inbox.ru", "list.ru"],
  naver: ["naver.com"],
  qq: ["qq.com", "foxmail.com"],
  netease: ["163.com", "126.com", "yeah.net"],
  orange: ["orange.fr", "wanadoo.fr"],
};

/** Domains of a known provider; for any other name, the name itself is the domain. */
export function domainsOfProvider(provider: string): readonly string[] {
  return Object.hasOwn(providers, provider) ? (providers[provider] ?? []) : [provider];
}

const byDomain = new Map(
  Object.entries(providers).flatMap(([provider, domains]) => domains.map((domain) => [domain, provider])),
);

/**
 * Mail provider of a recipient, as far as the address shows it: the name of a large provider, else the domain itself.
 * @param domain as A-labels in lower case
 */
export function mailProvider(domain: string): string {
  return byDomain.get(domain) ?? domain;
}
