/** Texts of subject, header, attachment and template faults, by code and reason. */
export const contentTexts = {
  "subject.control_character": {
    subject_contains_line_break_control_character:
      "The subject contains a line break or a control character.",
  },
  "subject.too_long": {
    subject_longer_than_octets: "The subject is longer than {max} octets.",
  },
  "header.name_too_long": {
    header_name_longer_than_characters: "A header name is longer than {max} characters.",
  },
  "header.name_invalid": {
    header_name_printable_ascii_without_spaces:
      "A header name must be printable ASCII without spaces and colons.",
  },
  "header.reserved": {
    header_reserved: "The header {name} is set by Hermod. Remove it.",
  },
  "header.value_empty": {
    header_empty: "The header {name} must have a value.",
  },
  "header.value_invalid": {
    header_control_character: "The value of {name} contains a line break or a control character.",
  },
  "header.value_too_long": {
    header_value_octets: "The value of {name} exceeds {max} octets.",
    header_word:
      "The value of {name} has more than {max} characters without a space, so it cannot be folded.",
  },
  "header.value_not_ascii": {
    value_not_ascii: "The value of {name} must be ASCII.",
  },
  "header.duplicate": {
    header_twice: "The header {name} occurs twice.",
  },
  "header.too_many": {
    most_header_fields_given: "At most {max} headers are allowed.",
    most_headers_given: "At most {max} headers are allowed.",
  },
  "header.too_large": {
    headers_exceed_octets_together: "The headers exceed {max} octets together.",
  },
  "attachment.filename_invalid": {
    file_name_contains_characters_change_how:
      "The file name contains characters that change how it is displayed, or an invalid character.",
    file_name_contains_line_break_control: "The file name contains a line break or a control character.",
    file_name_contains_path_separator: "The file name contains a path separator.",
    file_name_empty: "The file name is empty.",
    file_name_folder: "The file name is the name of a folder.",
    file_name_looks_like_encoded_word: "The file name must not be an encoded word. Write it in plain UTF-8.",
    file_name_starts_ends_space: "The file name must not start or end with a space.",
  },
  "attachment.filename_too_long": {
    file_name_longer_than_octets: "The file name is longer than {max} octets.",
  },
  "attachment.content_type_invalid": {
    content_type_not_form_type_subtype:
      "The content type must have the form type/subtype, with parameters as name=value.",
  },
  "attachment.content_type_not_allowed": {
    multipart_type_cannot_attached_rfc_2045:
      "A multipart type cannot be attached: RFC 2045 section 6.4 does not allow encoding it.",
    part_as_it_is:
      "A part of the type {type} is sent without encoding (RFC 2046 section 5.2.1), so it must consist of ASCII lines of at most 998 octets that end in CRLF. Use the type application/octet-stream to attach other content.",
  },
  "attachment.content_id_invalid": {
    content_id_up_letters_digits:
      "A content id must have at most {max} characters from letters, digits and . _ + = @ -, without brackets.",
  },
  "attachment.content_id_missing": {
    inline_content_id_missing: "An inline attachment needs a content id, to which the html refers.",
  },
  "attachment.content_id_duplicate": {
    content_id_twice: "Two attachments have the same content id.",
  },
  "attachment.content_not_base64": {
    content_not_base64_standard_alphabet_padding:
      "The content must be base64 in the standard alphabet, with padding. Line breaks are allowed.",
  },
  "template.output_too_large": {
    part_output_too_large: "The rendered {part} is larger than allowed.",
  },
  "template.limit_exceeded": {
    part_too_deep: "The {part} is too long or nested too deeply.",
    template_engine: "{detail}.",
  },
  "template.render_failed": {
    data_template_empty_body: "The template renders an empty body with this data.",
    template_could_not_rendered: "The template could not be rendered.",
    template_engine: "{detail}.",
  },
  "template.name_invalid": {
    template_name:
      "The name of a template must have 1 to 100 characters from a-z, 0-9, '.', '_' and '-', and begin and end with a letter or digit.",
  },
  "template.body_missing": {
    template_needs_html_text_both: "A template needs html, text, or both.",
  },
  "template.too_large": {
    field_longer_than_characters: "The {field} is longer than {max} characters.",
    part_longer_than_characters: "The {part} is longer than {max} characters.",
    too_many_tags:
      "The {part} has more than {max} outputs and tags, or more than {max_characters} characters within them.",
  },
  "template.syntax": {
    tags_nested_too_deeply: "The tags are nested too deeply.",
    template_engine: "{detail}.",
    template_place: "{detail} (line {line}, column {column})",
  },
  "template.tag_not_allowed": {
    template_engine: "{detail}.",
    template_place: "{detail} (line {line}, column {column})",
  },
  "template.variable_name_invalid": {
    variable_name_made_letters_digits_dots:
      "The name of a variable must consist of letters, digits, _ and -, with dots between levels.",
  },
  "template.variable_duplicate": {
    variable_declared_twice: "The variable {name} is declared twice.",
  },
  "template.fallback_type": {
    fallback_type: "The fallback of {name} must be of the type {type}.",
  },
  "template.unknown": {
    no_template: 'The template "{name}" does not exist.',
  },
  "template.variable_missing": {
    template_needs_variable_not_given: "The template needs the variable {variable}, which is missing.",
  },
  "template.variable_type": {
    variable_type: "The variable {variable} must be of the type {type}.",
  },
  "template.not_found": {
    no_built_in_template: 'The built-in template "{name}" does not exist. Use one of {allowed}.',
    no_template: 'The template "{name}" does not exist.',
  },
  "template.version_not_found": {
    no_draft: 'The template "{name}" has no draft.',
    no_published_version: 'The template "{name}" has no published version.',
    no_version: 'The template "{name}" has no version {version}.',
    text_without_html: 'This text of the template "{name}" has no HTML.',
  },
  "template.exists": {
    template_already: 'A template "{name}" already exists.',
  },
  "template.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The current revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. The resource no longer exists. Nothing was changed.",
  },
} as const;
