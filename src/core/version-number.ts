/** Version by its number as callers write it; also a page cursor. Undefined: it is not a number of a version. */
export function versionIn(token: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(token) ? Number(token) : undefined;
}
