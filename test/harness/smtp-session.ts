import { once } from "node:events";
import net from "node:net";

export interface SmtpSession {
  /** Sends lines and resolves to the reply to the last of them. */
  say(text: string): Promise<string>;
  close(): void;
}

/** A manual SMTP session after the greeting, without retries and reconnects. */
export async function openSmtpSession(port: number): Promise<SmtpSession> {
  const socket = net.connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const reply = async () => {
    while (!/^\d{3} .*\r\n$/m.test(heard)) await once(socket, "data");
  };
  await reply();
  return {
    say: async (text) => {
      heard = "";
      socket.write(`${text}\r\n`);
      await reply();
      return heard;
    },
    close: () => socket.destroy(),
  };
}
