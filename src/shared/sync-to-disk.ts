import { open } from "node:fs/promises";

/** Returns when what a file holds, or which names a folder has, is on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
