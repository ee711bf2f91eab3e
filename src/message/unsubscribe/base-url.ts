const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Why links for List-Unsubscribe cannot lead to this base URL; undefined: they can. RFC 8058 section 3.1 wants https. */
export function unsubscribeBaseFault(baseUrl: string | undefined): string | undefined {
  return linkBaseFault("List-Unsubscribe", baseUrl);
}

/** Why pixels and links for tracking cannot lead to this base URL; undefined: they can. */
export function trackingBaseFault(baseUrl: string | undefined): string | undefined {
  return linkBaseFault("Tracking", baseUrl);
}

/** http is good enough for trying it out, where no mail provider can reach it anyway. */
function linkBaseFault(purpose: string, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined) {
    return `${purpose} needs HERMOD_BASE_URL: the https URL at which recipients reach this Hermod.`;
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === "https:") return undefined;
  if (url?.protocol === "http:" && LOOPBACK.test(url.hostname)) return undefined;
  return `${purpose} needs an https URL as HERMOD_BASE_URL; http is only for trying it out on loopback.`;
}
