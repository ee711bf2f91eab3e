/** A start that cannot succeed, in words that name the setting to change. */
export class StartupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartupError";
  }
}

/** Why a listener could not be opened, naming its setting. */
export function listenError(setting: string, host: string, port: number, error: unknown): StartupError {
  const text = error instanceof Error ? error.message : String(error);
  if (text.includes("EADDRINUSE")) {
    return new StartupError(
      `${setting}: port ${port} on ${host} is taken by another process. Choose another port.`,
      error,
    );
  }
  if (text.includes("EACCES")) {
    return new StartupError(
      `${setting}: this user may not open port ${port} on ${host}. Choose one above 1023.`,
      error,
    );
  }
  return new StartupError(`${setting}: cannot listen on ${host}:${port}: ${text}`, error);
}
