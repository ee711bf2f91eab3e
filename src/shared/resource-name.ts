const RESOURCE_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?$/;

/** What is said of a name that is none, behind `A policy's` and the like. */
export const RESOURCE_NAME_RULE =
  "name has 1 to 100 of a-z, 0-9, '.', '_' and '-', a letter or digit at both ends.";

/** Whether it can name a template, a policy or a rule: 1 to 100 of `a-z 0-9 . _ -`, a letter or digit at both ends. */
export function isResourceName(name: string): boolean {
  return RESOURCE_NAME.test(name);
}
