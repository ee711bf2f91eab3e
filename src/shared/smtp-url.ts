/** Address for mail submission over SMTP. */
export interface SmtpEndpoint {
  /** Undefined: the relay listens on every address, and no setting names the public one. */
  readonly host: string | undefined;
  readonly port: number;
  /** `starttls`: the session starts unencrypted (RFC 3207); `implicit`: TLS from the start (RFC 8314). */
  readonly tls: "starttls" | "implicit";
}

/** By scheme: TLS mode, and the port of a URL without one. */
const SCHEMES = {
  "smtp:": { tls: "starttls", port: 587 },
  "smtps:": { tls: "implicit", port: 465 },
} as const;

export const SMTP_URL_FORM =
  "must be smtp://host:port (STARTTLS) or smtps://host:port (TLS from the start), comma-separated, without a user and a path";

/** Parses `smtp://host:port` or `smtps://host:port`; undefined: the text is neither. */
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
