interface Role {
  readonly name: string;
  readonly permissions: readonly string[];
}

/**
 * Whether a member with these permissions may give or take a role. The server decides about roles that the page does not know.
 * @param roles those of the server
 */
export function isWithin(role: string, own: readonly string[], roles: readonly Role[]): boolean {
  const known = roles.find(({ name }) => name === role);
  return known === undefined || known.permissions.every((permission) => own.includes(permission));
}
