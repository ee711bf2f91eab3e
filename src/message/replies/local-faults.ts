import type { ReplyRule } from "./reply-rule.ts";

/** Failures without a reply: reports of Node.js, OpenSSL and Hermod's own resolver. They are never about the recipient. */
export const localFaults: readonly ReplyRule[] = [
  // The domain accepts no mail (RFC 7505 section 4), or does not exist (RFC 5321 section 5.1).
  {
    code: ["none"],
    text: /null mx|query(?:mx|a|aaaa) enotfound|nxdomain/,
    category: "dns",
    scope: "recipient",
    permanent: true,
  },
  {
    code: ["none"],
    text: /\b(?:enotfound|enodata|eai_again|eservfail|etimeout|edns|dns)\b|getaddrinfo|querymx/,
    category: "dns",
    scope: "destination",
  },
  // A policy that requires encryption delays (RFC 8461 section 5, RFC 7672 section 2.2): the server may be repaired.
  {
    code: ["none"],
    text: /certificate|\btlsa?\b|\bssl|starttls|handshake|err_tls|self.signed|mta-sts/,
    category: "tls",
    scope: "destination",
  },
  { code: ["none"], category: "network", scope: "destination" },
];
