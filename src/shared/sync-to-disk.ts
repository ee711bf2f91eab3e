import { open } from "node:fs/promises";

/** Returns when the content of a file, or the names in a folder, are on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
