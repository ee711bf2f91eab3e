import { Button, Select } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery } from "../../api/session.ts";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { browserZone, chooseZone, chosenZone } from "../../parts/time.tsx";
import { chooseLanguage, chosenLanguage, type Language, languages } from "../../texts/language.ts";
import { t } from "../../texts/texts.ts";
import { ChangeAddress } from "./change-address.tsx";
import { ChangePassword } from "./change-password.tsx";

const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

/** Each in its own language, so that a user of another language finds it. */
const languageNames: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** Address, password, language and time zone of the user. */
export function SignInCard() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [open, setOpen] = useState<"address" | "password">();
  const close = () => setOpen(undefined);
  return (
    <RowCard title={t.user.signIn}>
      <ul className="entries">
        <Row title={t.user.address} detail={session.email}>
          <Button variant="default" onClick={() => setOpen("address")}>
            {t.user.changeAddress}
          </Button>
        </Row>
        <Row title={t.user.password} detail={t.user.passwordDetail}>
          <Button variant="default" onClick={() => setOpen("password")}>
            {t.user.changePassword}
          </Button>
        </Row>
        <Row title={t.user.language} detail={t.user.languageDetail}>
          <Select
            aria-label={t.user.language}
            allowDeselect={false}
            w={260}
            data={[
              { value: "", label: t.user.languageOfBrowser },
              ...languages.map((value) => ({ value, label: languageNames[value] })),
            ]}
            value={chosenLanguage}
            onChange={(value) => {
              chooseLanguage(languages.find((one) => one === value) ?? "");
              window.location.reload();
            }}
          />
        </Row>
        <Row title={t.user.timeZone} detail={t.user.timeZoneDetail}>
          <Select
            aria-label={t.user.timeZone}
            searchable
            allowDeselect={false}
            w={260}
            maxDropdownHeight={300}
            limit={100}
            data={[{ value: "", label: t.user.ofBrowser(browserZone) }, ...zones]}
            value={chosenZone}
            onChange={(zone) => {
              chooseZone(zone ?? "");
              // Texts of every page contain times.
              window.location.reload();
            }}
          />
        </Row>
      </ul>
      {open === "address" && <ChangeAddress onClose={close} />}
      {open === "password" && <ChangePassword email={session.email} onClose={close} />}
    </RowCard>
  );
}
