/** Where clients submit mail over SMTP. */
export interface SmtpEndpoint {
  /** undefined: the relay listens on every address, and no setting names the one for clients. */
  readonly host: string | undefined;
  readonly port: number;
  /** `starttls`: the session begins unencrypted (RFC 3207); `implicit`: TLS comes first (RFC 8314). */
  readonly tls: "starttls" | "implicit";
}

/** By the scheme: its TLS, and the port of a URL without one. */
const SCHEMES = {
  "smtp:": { tls: "starttls", port: 587 },
  "smtps:": { tls: "implicit", port: 465 },
} as const;

export const SMTP_URL_FORM =
  "must be smtp://host:port (STARTTLS) or smtps://host:port (TLS from the start), comma-separated, without a user and a path";

/** Reads `smtp://host:port` or `smtps://host:port`; undefined: the text is neither. */
export function parseSmtpUrl(text: string): SmtpEndpoint | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = SCHEMES[url?.protocol as keyof typeof SCHEMES] as
    | (typeof SCHEMES)[keyof typeof SCHEMES]
    | undefined;
  if (!url || !scheme || !text.startsWith(`${url.protocol}//`) || url.hostname === "") return undefined;
  if (url.username || url.password || url.search || url.hash || !["", "/"].includes(url.pathname))
    return undefined;
  const port = url.port === "" ? scheme.port : Number(url.port);
  return port === 0 ? undefined : { host: url.hostname.toLowerCase(), port, tls: scheme.tls };
}
