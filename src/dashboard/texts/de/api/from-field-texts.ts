import type { FaultReason } from "../../../../../contracts/common/fault-texts/fault-texts.ts";

/** German texts of faults of the From field, by reason. */
export const fromFieldReasons = {
  from_address_as: "Die Adresse in {name} muss so geschrieben sein: {address}.",
  from_address_invalid: "{name} hat keine gültige Adresse: {detail}.",
  from_bidi_name: "{name} hat einen Namen mit Zeichen, die seine Anzeige verändern.",
  from_charset: "{name} hat einen Namen in einem unbekannten Zeichensatz.",
  from_control_character: "{name} enthält ein Steuerzeichen.",
  from_empty_line: "{name} hat eine Zeile, die nur aus Leerraum besteht.",
  from_encoded_address: "{name} hat eine kodierte Adresse, die Programme unterschiedlich lesen.",
  from_folded_name:
    "{name} hat einen Namen in Anführungszeichen mit Sonderzeichen, der innerhalb der Anführungszeichen umbrochen ist.",
  from_name_like_address:
    "{name} hat einen Namen, der wie eine andere Adresse aussieht. Ein solcher Name muss reines ASCII sein und in Anführungszeichen stehen.",
  from_no_address: "{name} hat keine Adresse.",
  from_not_utf8: "{name} hat eine Adresse, die kein gültiges UTF-8 ist.",
  from_one_address:
    "{name} muss genau eine Adresse haben, allein oder in spitzen Klammern nach einem Namen, danach höchstens einfache Kommentare.",
  from_quoted_address: "{name} hat eine Adresse mit Anführungszeichen, die Programme unterschiedlich lesen.",
  from_several:
    "{name} hat mehrere Adressen, eine Gruppe, eine Route oder einen Namen mit Komma, Doppelpunkt oder Semikolon ohne Anführungszeichen.",
  from_several_or_at: "{name} hat mehrere Adressen oder einen Namen mit einem @ ohne Anführungszeichen.",
  from_too_long: "{name} hat mehr als {max} Zeichen.",
} as const satisfies Partial<Record<FaultReason, string>>;
