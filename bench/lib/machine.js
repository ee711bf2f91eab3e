import { statfsSync } from "node:fs";
import os from "node:os";

/** Kinds of file system by the number that Linux gives them. */
const fileSystems = new Map([
  [0xef53, "ext4"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x2fc12fc1, "zfs"],
  [0x01021994, "tmpfs (memory: a sync costs nothing)"],
  [0x794c7630, "overlayfs"],
]);

/**
 * One line about what the figures were measured on.
 * @param {string} directory where the data lies
 */
export function machine(directory) {
  const cpus = os.cpus();
  const model = cpus[0]?.model.trim() ?? "unknown CPU";
  const memory = `${(os.totalmem() / 1024 ** 3).toFixed(0)} GB`;
  const kind = statfsSync(directory).type;
  const disk = fileSystems.get(kind) ?? `file system 0x${kind.toString(16)}`;
  const store = process.env.MONGODB_URL ? "MongoDB at MONGODB_URL" : `embedded engine on ${disk}`;
  return `${model}, ${cpus.length} cores, ${memory}; Linux ${os.release()}; Node ${process.version}; store: ${store}`.replace(
    "Linux",
    os.type(),
  );
}

/** The load of the last minute: figures of a machine that is busy otherwise mean little. */
export function loadAverage() {
  return os.loadavg()[0] ?? 0;
}
