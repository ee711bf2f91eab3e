import { Button, Popover, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { Answer } from "../../parts/answer.tsx";
import { withoutSecret } from "../../parts/without-secret.ts";
import { t } from "../../texts/texts.ts";
import type { QueryFault } from "./query-faults.ts";

const TYPING_MS = 400;

interface SearchBoxProps {
  /** The query in the address. */
  readonly value: string | undefined;
  /** Faults of the query; empty if it has none. */
  readonly faults: readonly QueryFault[];
  readonly onSearch: (query: string | undefined) => void;
}

/** The search box, with help for its operators and the faults marked below. */
export function SearchBox({ value, faults, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value ?? "");
  const [known, setKnown] = useState(value);
  // The address was changed by a button of the page or of the browser.
  if (value !== known) {
    setKnown(value);
    if ((value ?? "") !== text.trim()) setText(value ?? "");
  }
  const search = (typed: string) => onSearch(withoutSecret(typed.trim()) || undefined);
  const searchSoon = useDebouncedCallback(search, TYPING_MS);

  return (
    <div className="stack small-gap">
      <form
        className="row nowrap"
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <TextInput
          type="search"
          aria-label={t.messages.find}
          aria-invalid={faults.length > 0}
          aria-describedby={faults.length > 0 ? "query-faults" : undefined}
          placeholder={t.messages.findHint}
          value={text}
          flex={1}
          onChange={(event) => {
            setText(event.currentTarget.value);
            searchSoon(event.currentTarget.value);
          }}
        />
        <Popover position="bottom-end" width={440} trapFocus withRoles>
          <Popover.Target>
            <Button variant="default">{t.messages.help}</Button>
          </Popover.Target>
          <Popover.Dropdown maw="calc(100vw - 32px)">
            <dl className="operators">
              {t.messages.operators.map(([example, meaning]) => (
                <div key={example} className="contents">
                  <dt className="mono">{example}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
            <p className="faint">{t.messages.helpDetail}</p>
          </Popover.Dropdown>
        </Popover>
      </form>
      {faults.length > 0 && <QueryFaults query={value ?? ""} faults={faults} />}
    </div>
  );
}

function QueryFaults({ query, faults }: { readonly query: string; readonly faults: readonly QueryFault[] }) {
  return (
    <div id="query-faults">
      <Answer tone="bad" role="alert">
        {faults.map(({ message, offset, length }) => (
          <div key={`${offset} ${message}`}>
            {length > 0 && (
              <code className="mono wrapped">
                {query.slice(0, offset)}
                <mark>{query.slice(offset, offset + length)}</mark>
                {query.slice(offset + length)}
              </code>
            )}
            <p>{message}</p>
          </div>
        ))}
      </Answer>
    </div>
  );
}
