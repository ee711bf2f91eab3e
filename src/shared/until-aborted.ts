/** The answer, or undefined if the signal is aborted before it. */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const end = () => resolve(undefined);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
