/**
 * @typedef {object} CleanUp
 * @property {(step: () => unknown) => () => Promise<void>} defer registers a step; what it returns runs that step early
 * @property {() => Promise<void>} run runs all steps that are left, the last first
 */

/**
 * Undoes the effects of a run at its end, also on Ctrl-C, SIGTERM and a failure.
 * @returns {CleanUp}
 */
export function createCleanUp() {
  /** @type {Set<() => unknown>} */
  const steps = new Set();

  /** @param {() => unknown} step */
  async function perform(step) {
    if (!steps.delete(step)) return;
    try {
      await step();
    } catch (error) {
      console.error("clean-up:", error);
    }
  }

  async function run() {
    for (const step of [...steps].reverse()) await perform(step);
  }

  for (const [signal, code] of /** @type {const} */ ([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(code));
      void run().then(() => process.exit(code));
    });
  }

  return {
    defer: (step) => {
      steps.add(step);
      return () => perform(step);
    },
    run,
  };
}
