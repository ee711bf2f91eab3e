const RESOURCE_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?$/;

/** Whether it can name a template, a policy or a rule: 1 to 100 of `a-z 0-9 . _ -`, a letter or digit at both ends. */
export function isResourceName(name: string): boolean {
  return RESOURCE_NAME.test(name);
}
