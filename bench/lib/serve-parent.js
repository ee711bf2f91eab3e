/**
 * Answers the messages of the process that started this one, and ends with it.
 * @param {(message: any) => Promise<object>} answer
 */
export function serveParent(answer) {
  const reply = (/** @type {object} */ message) => process.send?.(message);
  process.on("message", (message) => {
    answer(message).then(reply, (error) => reply({ failed: error.stack ?? String(error) }));
  });
  process.on("disconnect", () => process.exit());
  // Ctrl-C reaches this process too: the one that started it says when to end.
  process.on("SIGINT", () => undefined);
}
