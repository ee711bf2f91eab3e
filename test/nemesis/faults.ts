import type { MxHost } from "../harness/mx-host.ts";
import type { Random } from "./random.ts";
import type { Supervised } from "./supervised.ts";
import type { World } from "./world.ts";

/** Undoes a fault; resolves when all is as before. */
export type Undo = () => Promise<void>;

export interface Fault {
  readonly kind: string;
  /** Whether a worker's message in flight may be sent once more because of it. */
  readonly mayDouble: boolean;
  /** Whether this world can have it. */
  readonly fits: (world: World) => boolean;
  /** Brings it about; what it strikes is drawn. Resolves with what was struck. */
  readonly strike: (world: World, random: Random) => Promise<{ readonly what: string; readonly undo: Undo }>;
}

const nothing: Undo = async () => undefined;
const always = () => true;

function drawn(world: World, random: Random): Supervised {
  return random.pick(world.processes);
}

async function behaveAgain(hosts: readonly MxHost[]): Promise<void> {
  for (const host of hosts) host.behave({});
}

const SLOW_REPLY_MS = 2_000;
const SILENT_MS = 600_000;
const SMALL_HEAP_MB = 192;

/** What befalls an installation, by name. */
export const faults: readonly Fault[] = [
  {
    kind: "kill",
    mayDouble: true,
    fits: always,
    strike: async (world, random) => {
      const struck = drawn(world, random);
      const back = struck.restart("SIGKILL");
      return { what: struck.name, undo: () => back };
    },
  },
  {
    kind: "pause",
    mayDouble: true,
    fits: always,
    strike: async (world, random) => {
      const struck = drawn(world, random);
      const resume = struck.pause();
      return { what: struck.name, undo: async () => resume() };
    },
  },
  {
    kind: "cut",
    mayDouble: false,
    fits: ({ links }) => links.length > 0,
    strike: async (world, random) => {
      const link = random.pick(world.links);
      const direction = random.pick(["there", "back", "both"] as const);
      link.cut(direction);
      return { what: `${link.name}, ${direction}`, undo: async () => link.heal() };
    },
  },
  {
    kind: "rolling restart",
    mayDouble: false,
    fits: always,
    strike: async ({ processes }) => {
      const done = (async () => {
        for (const one of processes) await one.restart("SIGTERM");
      })();
      return { what: "all in turn", undo: () => done };
    },
  },
  {
    kind: "small heap",
    mayDouble: true,
    fits: always,
    strike: async (world, random) => {
      const struck = drawn(world, random);
      await struck.restart("SIGTERM", { NODE_OPTIONS: `--max-old-space-size=${SMALL_HEAP_MB}` });
      return { what: struck.name, undo: () => struck.restart("SIGTERM") };
    },
  },
  {
    kind: "slow recipients",
    mayDouble: false,
    fits: always,
    strike: async ({ network }, random) => {
      const hosts = network.hosts.filter(() => random.below(3) === 0);
      for (const host of hosts) host.behave({ replyDelayMs: SLOW_REPLY_MS });
      return { what: `${hosts.length} servers`, undo: () => behaveAgain(hosts) };
    },
  },
  {
    kind: "silent recipients",
    // A server that has the message and never says so gets it again (RFC 5321 section 4.5.3.2.6).
    mayDouble: true,
    fits: always,
    strike: async ({ network }, random) => {
      const hosts = network.hosts.filter(() => random.below(3) === 0);
      for (const host of hosts) host.behave({ replyDelayMs: SILENT_MS });
      return { what: `${hosts.length} servers`, undo: () => behaveAgain(hosts) };
    },
  },
  {
    kind: "full disk",
    mayDouble: true,
    fits: ({ fillDisk }) => fillDisk !== undefined,
    strike: async ({ fillDisk }) => ({ what: "the data's disk", undo: (await fillDisk?.()) ?? nothing }),
  },
  {
    kind: "step down",
    mayDouble: true,
    fits: ({ database }) => database !== undefined,
    strike: async ({ database }) => {
      await database?.stepDown();
      return { what: "the primary", undo: nothing };
    },
  },
  {
    kind: "kill primary",
    mayDouble: true,
    fits: ({ database }) => database !== undefined,
    strike: async ({ database }) => ({
      what: "the primary",
      undo: (await database?.killPrimary()) ?? nothing,
    }),
  },
  {
    kind: "lost majority",
    mayDouble: true,
    fits: ({ database }) => database !== undefined,
    strike: async ({ database }) => ({
      what: "two nodes",
      undo: (await database?.loseMajority()) ?? nothing,
    }),
  },
];
