import type { Store } from "../store/store.ts";

/**
 * Opens an object that needs a secret of the installation on first use, so that a start does not wait for secrets
 * that most processes never use. A secret that could not be read is read again.
 */
export function createSecretOpener<T>(
  { secrets }: Pick<Store, "secrets">,
  name: Parameters<Store["secrets"]["getOrCreate"]>[0],
  open: (secret: Buffer) => T,
): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= secrets.getOrCreate(name).then(open);
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
}
