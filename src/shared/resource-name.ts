const RESOURCE_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?$/;

/**
 * Whether a name is valid for a template, policy or rule: 1 to 100 characters from `a-z 0-9 . _ -`, with a letter or
 * digit at both ends.
 */
export function isResourceName(name: string): boolean {
  return RESOURCE_NAME.test(name);
}
