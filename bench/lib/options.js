/** Values of the command line options: strings, or nothing. */
/** @typedef {Readonly<Record<string, string | boolean | undefined>>} Values */

/**
 * @param {Values} values
 * @param {string} name
 * @param {number} otherwise
 */
export function readCount(values, name, otherwise) {
  const [count, ...others] = readCounts(values, name, [otherwise]);
  if (count === undefined || others.length > 0) throw new Error(`--${name} takes one number.`);
  return count;
}

/**
 * @param {Values} values
 * @param {string} name
 * @param {number[]} otherwise
 */
export function readCounts(values, name, otherwise) {
  const given = values[name];
  if (typeof given !== "string") return otherwise;
  return given.split(",").map((text) => {
    const count = Number(text);
    if (!Number.isInteger(count) || count < 1)
      throw new Error(`--${name}: "${text}" is no whole number from 1.`);
    return count;
  });
}

/**
 * @param {Values} values
 * @param {string} name
 */
export function readText(values, name) {
  const given = values[name];
  return typeof given === "string" ? given : undefined;
}

/** The command that repeats this run. */
export function commandLine() {
  const store = process.env.MONGODB_URL ? "MONGODB_URL=… " : "";
  return `${store}npm run bench -- ${process.argv.slice(2).join(" ")}`;
}
