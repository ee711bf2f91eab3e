/** Extensions in a server's reply to EHLO (RFC 5321 section 4.1.1.1). */
export interface Capabilities {
  readonly pipelining: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  readonly startTls: boolean;
  readonly requireTls: boolean;
  readonly dsn: boolean;
  readonly enhancedStatusCodes: boolean;
  /** Whether SIZE is offered (RFC 1870). */
  readonly size: boolean;
  /** Largest message in octets; undefined: the server announces none. */
  readonly maxSizeBytes: number | undefined;
  /** AUTH mechanisms, in upper case. */
  readonly auth: readonly string[];
}

/** Parses the reply to EHLO, or to HELO, which has no extensions. */
export function readCapabilities(text: string): Capabilities {
  const offers = new Map<string, readonly string[]>();
  const [, ...lines] = text.split("\n");
  for (const line of lines) {
    // Some servers write "AUTH=LOGIN" for clients older than the standard.
    const [keyword = "", ...parameters] = line
      .slice(4)
      .toUpperCase()
      .split(/[\s=]+/);
    offers.set(keyword, [...(offers.get(keyword) ?? []), ...parameters]);
  }
  const announced = offers.get("SIZE")?.[0] ?? "";
  const maxSizeBytes = /^\d{1,15}$/.test(announced) ? Number(announced) : 0;
  return {
    pipelining: offers.has("PIPELINING"),
    eightBitMime: offers.has("8BITMIME"),
    smtpUtf8: offers.has("SMTPUTF8"),
    startTls: offers.has("STARTTLS"),
    requireTls: offers.has("REQUIRETLS"),
    dsn: offers.has("DSN"),
    enhancedStatusCodes: offers.has("ENHANCEDSTATUSCODES"),
    size: offers.has("SIZE"),
    // 0 means no limit (RFC 1870 section 4).
    maxSizeBytes: maxSizeBytes > 0 ? maxSizeBytes : undefined,
    auth: offers.get("AUTH") ?? [],
  };
}
