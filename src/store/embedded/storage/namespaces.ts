import { CommandError } from "../errors.ts";

/** Throws InvalidNamespace for a name that no collection may have. */
export function checkCollectionName(db: string, name: string): void {
  if (name.includes("$") && !name.startsWith("$cmd")) {
    throw new CommandError(73, `Invalid collection name: ${name}`);
  }
  if (
    name === "" ||
    name.includes("\0") ||
    name.startsWith(".") ||
    (name.includes("$") && !name.startsWith("$cmd"))
  ) {
    throw new CommandError(73, `Invalid namespace specified '${db}.${name}'`);
  }
  if (Buffer.byteLength(`${db}.${name}`) > 255) {
    throw new CommandError(73, `Fully qualified namespace is too long. Namespace: ${db}.${name} Max: 255`);
  }
}
