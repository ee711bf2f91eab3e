/**
 * Tells clients that came by HTTPS never to come by HTTP, for a year (RFC 6797). It is for this host alone: others of its
 * domain are nobody's here to decide about.
 */
export const STRICT_TRANSPORT_SECURITY = "max-age=31536000";
