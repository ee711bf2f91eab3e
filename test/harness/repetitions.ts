/**
 * Number of runs of a property with a store or servers: `few`, because each run takes milliseconds, and `all` in
 * `.ci/run --all`.
 */
export const repetitions = (few: number, all: number) => (process.env.HERMOD_TEST_LONG === "all" ? all : few);
