import { pingUrlOf, type RevealedHeartbeat } from "../../api/heartbeats.ts";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { t } from "../../texts/texts.ts";
import { firstCommandOf } from "./commands.ts";

interface TokenOnceProps {
  readonly title: string;
  readonly revealed: RevealedHeartbeat;
  readonly onClose: () => void;
}

/** Shows the URL of the pings once, with a command for the job. */
export function TokenOnce({ title, revealed, onClose }: TokenOnceProps) {
  const url = pingUrlOf(revealed);
  const { kind, text } = firstCommandOf(revealed, url);
  return (
    <SecretOnce
      title={title}
      secrets={[
        { label: t.heartbeats[kind], value: text },
        { label: t.heartbeats.url, value: url },
      ]}
      onClose={onClose}
    />
  );
}
