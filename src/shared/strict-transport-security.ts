/**
 * Makes clients use only HTTPS for a year (RFC 6797). It applies only to this host, because other hosts of its domain
 * may belong to other services.
 */
export const STRICT_TRANSPORT_SECURITY = "max-age=31536000";
