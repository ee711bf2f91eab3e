/**
 * What a domain is for:
 *
 * - `sending`: mail leaves in its name
 * - `receiving`: it takes mail, and none leaves in its name
 * - `parked`: neither, and it should say so
 */
export const domainRoles = ["sending", "receiving", "parked"] as const;
export type DomainRole = (typeof domainRoles)[number];
