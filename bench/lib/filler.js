const DAY_MS = 86_400_000;
const WORDS = "shop news order alerts billing staging".split(" ");

/** @typedef {import("./fill-lists.js").Filler} Filler */
/** @typedef {import("./fill-lists.js").FillContext} FillContext */

export const ago = (/** @type {FillContext} */ { now }, /** @type {number} */ number) =>
  new Date(now.getTime() - (number % (30 * 24)) * 3_600_000);
export const later = (/** @type {FillContext} */ { now }, days = 60) =>
  new Date(now.getTime() + days * DAY_MS);
export const nameOf = (/** @type {number} */ number) => `${WORDS[number % WORDS.length]} ${number}`;

/**
 * One call for each entry, some at once.
 * @param {string} name @param {number} count
 * @param {(context: FillContext, number: number) => Promise<unknown>} put
 * @param {Partial<Filler> & { width?: number }} [more]
 * @returns {Filler}
 */
export const each = (name, count, put, { width = 16, ...more } = {}) => ({
  name,
  count,
  step: width,
  ...more,
  fill: async (context, from, size) => {
    await Promise.all(Array.from({ length: size }, (_, index) => put(context, from + index)));
  },
});

/**
 * Documents that the store has no function for that is as fast.
 * @param {string} name @param {number} count @param {string} collection
 * @param {(context: FillContext, number: number) => object} document
 * @param {Partial<Filler>} [more] @returns {Filler}
 */
export const raw = (name, count, collection, document, more = {}) => ({
  name,
  count,
  step: 500,
  ...more,
  fill: async (context, from, size) => {
    const all = Array.from({ length: size }, (_, index) => document(context, from + index));
    await context.db.collection(collection).insertMany(/** @type {any} */ (all));
  },
});
