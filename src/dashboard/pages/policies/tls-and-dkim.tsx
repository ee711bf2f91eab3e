import { Select } from "@mantine/core";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { t } from "../../texts/texts.ts";

/** The choice that sends no value: Hermod chooses the signatures by the provider. */
const STANDARD = "standard";

interface TlsAndDkimProps {
  /** TLS modes of the kind of transport, with their texts. */
  readonly modes: Readonly<Record<string, string>>;
  readonly tls: string;
  readonly dkim: string | undefined;
  /** JSON pointer of the settings of the transport. */
  readonly at: string;
  readonly faultAt: FaultAt;
  readonly onChange: (changes: { readonly tls?: string; readonly dkim?: string | undefined }) => void;
}

/** TLS mode and DKIM signatures of a transport. A value of the JSON that is no choice stays until it is replaced. */
export function TlsAndDkim({ modes, tls, dkim, at, faultAt, onChange }: TlsAndDkimProps) {
  return (
    <>
      <Select
        label={t.policies.tls}
        data={choices(modes, tls)}
        allowDeselect={false}
        error={faultAt(`${at}/tls`)}
        value={tls}
        onChange={(picked) => picked && onChange({ tls: picked })}
      />
      <Select
        label={t.policies.dkim}
        data={choices(t.policies.dkimUses, dkim ?? STANDARD)}
        allowDeselect={false}
        error={faultAt(`${at}/dkim`)}
        value={dkim ?? STANDARD}
        onChange={(picked) => picked && onChange({ dkim: picked === STANDARD ? undefined : picked })}
      />
    </>
  );
}

const choices = (texts: Readonly<Record<string, string>>, value: string) =>
  Object.entries({ ...(Object.hasOwn(texts, value) ? {} : { [value]: value }), ...texts }).map(
    ([name, label]) => ({ value: name, label }),
  );
