/** The thread of the engine as it was built: it is what runs, and starts in half the time of the compiler's own files. */
export const ENGINE_THREAD = new URL("../../dist/program/thread.js", import.meta.url);
