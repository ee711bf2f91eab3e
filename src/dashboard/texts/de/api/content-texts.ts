import type { FaultReason } from "../../../../../contracts/common/fault-texts/fault-texts.ts";

/** German texts of subject, header, attachment and template faults, by reason. */
export const contentReasons = {
  subject_contains_line_break_control_character:
    "Der Betreff enthält einen Zeilenumbruch oder ein Steuerzeichen.",
  subject_longer_than_octets: "Der Betreff ist länger als {max} Byte.",

  header_name_longer_than_characters: "Der Name eines Headers ist länger als {max} Zeichen.",
  header_name_printable_ascii_without_spaces:
    "Der Name eines Headers muss aus druckbaren ASCII-Zeichen ohne Leerzeichen und Doppelpunkte bestehen.",
  header_reserved: "Den Header {name} setzt Hermod. Entfernen Sie ihn.",
  header_empty: "Der Header {name} muss einen Wert haben.",
  header_control_character: "Der Wert von {name} enthält einen Zeilenumbruch oder ein Steuerzeichen.",
  header_value_octets: "Der Wert von {name} ist länger als {max} Byte.",
  header_word:
    "Der Wert von {name} hat mehr als {max} Zeichen ohne Leerzeichen und lässt sich daher nicht umbrechen.",
  value_not_ascii: "Der Wert von {name} muss ASCII sein.",
  header_twice: "Der Header {name} kommt zweimal vor.",
  most_header_fields_given: "Höchstens {max} Header sind erlaubt.",
  most_headers_given: "Höchstens {max} Header sind erlaubt.",
  headers_exceed_octets_together: "Die Header sind zusammen größer als {max} Byte.",

  file_name_contains_characters_change_how:
    "Der Dateiname enthält Zeichen, die seine Darstellung verändern, oder ein ungültiges Zeichen.",
  file_name_contains_line_break_control: "Der Dateiname enthält einen Zeilenumbruch oder ein Steuerzeichen.",
  file_name_contains_path_separator: "Der Dateiname enthält ein Pfadtrennzeichen.",
  file_name_empty: "Der Dateiname ist leer.",
  file_name_folder: "Der Dateiname ist der Name eines Ordners.",
  file_name_looks_like_encoded_word:
    "Der Dateiname darf kein Encoded-Word sein. Schreiben Sie ihn in einfachem UTF-8.",
  file_name_starts_ends_space: "Der Dateiname darf nicht mit einem Leerzeichen beginnen oder enden.",
  file_name_longer_than_octets: "Der Dateiname ist länger als {max} Byte.",
  content_type_not_form_type_subtype:
    "Der Content-Type muss die Form type/subtype haben, mit Parametern als name=value.",
  multipart_type_cannot_attached_rfc_2045:
    "Ein Multipart-Typ kann kein Anhang sein: RFC 2045 Abschnitt 6.4 erlaubt nicht, ihn zu kodieren.",
  part_as_it_is:
    "Ein Teil des Typs {type} wird unkodiert gesendet (RFC 2046 Abschnitt 5.2.1). Er muss daher aus ASCII-Zeilen von höchstens 998 Byte bestehen, die mit CRLF enden. Verwenden Sie für andere Inhalte den Typ application/octet-stream.",
  content_id_up_letters_digits:
    "Eine Content-ID darf höchstens {max} Zeichen haben: Buchstaben, Ziffern und . _ + = @ -, ohne Klammern.",
  inline_content_id_missing: "Ein eingebetteter Anhang braucht eine Content-ID, auf die das HTML verweist.",
  content_id_twice: "Zwei Anhänge haben dieselbe Content-ID.",
  content_not_base64_standard_alphabet_padding:
    "Der Inhalt muss Base64 mit dem Standardalphabet und mit Padding sein. Zeilenumbrüche sind erlaubt.",

  part_output_too_large: "Der Teil {part} ist ausgefüllt größer als erlaubt.",
  part_too_deep: "Der Teil {part} ist zu lang oder zu tief verschachtelt.",
  template_engine: "Fehler in der Vorlage: {detail}.",
  template_place: "{detail} (Zeile {line}, Spalte {column})",
  data_template_empty_body: "Mit diesen Daten ergibt die Vorlage einen leeren Inhalt.",
  template_could_not_rendered: "Die Vorlage ließ sich nicht ausfüllen.",
  template_name:
    "Der Name einer Vorlage muss 1 bis 100 Zeichen haben: a-z, 0-9, Punkt, Unterstrich und Bindestrich, mit einem Buchstaben oder einer Ziffer an beiden Enden.",
  template_needs_html_text_both: "Eine Vorlage braucht HTML, Text oder beides.",
  field_longer_than_characters: "{field} ist länger als {max} Zeichen.",
  part_longer_than_characters: "Der Teil {part} ist länger als {max} Zeichen.",
  too_many_tags:
    "Der Teil {part} hat mehr als {max} Ausgaben und Tags oder mehr als {max_characters} Zeichen darin.",
  tags_nested_too_deeply: "Die Tags sind zu tief verschachtelt.",
  variable_name_made_letters_digits_dots:
    "Der Name einer Variable muss aus Buchstaben, Ziffern, _ und - bestehen, mit Punkten zwischen den Ebenen.",
  variable_declared_twice: "Die Variable {name} ist doppelt deklariert.",
  fallback_type: "Der Ersatzwert von {name} muss den Typ {type} haben.",
  template_needs_variable_not_given: "Die Vorlage braucht die Variable {variable}, die fehlt.",
  variable_type: "Die Variable {variable} muss den Typ {type} haben.",
  no_built_in_template:
    "Die mitgelieferte Vorlage „{name}“ existiert nicht. Verwenden Sie eine von diesen: {allowed}.",
  no_draft: "Die Vorlage „{name}“ hat keinen Entwurf.",
  no_published_version: "Die Vorlage „{name}“ hat keine veröffentlichte Version.",
  no_version: "Die Vorlage „{name}“ hat keine Version {version}.",
  text_without_html: "Dieser Text der Vorlage „{name}“ hat kein HTML.",
  template_already: "Eine Vorlage „{name}“ existiert bereits.",
} as const satisfies Partial<Record<FaultReason, string>>;
