/** RFC 6376 section 3.1 defines both by domain names; U-labels are not allowed in tags (RFC 8616). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** RFC 1035 section 2.3.4, without the dots of the root. */
const MAX_DOMAIN_NAME = 253;

/** DNS name of the key of a selector (RFC 6376 section 3.6.2.1). Throws TypeError for an invalid name. */
export function keyRecordName(selector: string, domain: string): string {
  if (!isName(selector))
    throw new TypeError("A DKIM selector is made of labels of letters, digits and hyphens.");
  if (!isName(domain)) throw new TypeError("A DKIM domain is a domain name in A-labels.");
  const name = `${selector}._domainkey.${domain}`;
  if (name.length > MAX_DOMAIN_NAME)
    throw new TypeError("The DKIM selector and domain are too long together.");
  return name;
}

function isName(text: string): boolean {
  return text.length <= MAX_DOMAIN_NAME && text.split(".").every((label) => LABEL.test(label));
}
