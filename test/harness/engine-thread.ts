/**
 * The engine thread from the build: the built program uses it, and it starts in half the time of the compiler's
 * own files.
 */
export const ENGINE_THREAD = new URL("../../dist/program/thread.js", import.meta.url);
