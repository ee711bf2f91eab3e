/**
 * How often a property with a store or servers is tried: `few` times, because each takes milliseconds, and `all` times in
 * `.ci/run --all`.
 */
export const repetitions = (few: number, all: number) => (process.env.HERMOD_TEST_LONG === "all" ? all : few);
