/** Texts of faults of subjects, headers, attachments and templates, by code and reason. */
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
    header_name_printable_ascii_without_spaces: "A header name is printable ASCII without spaces and colons.",
  },
  "header.reserved": {
    header_reserved: "The header {name} is set by the service and cannot be given.",
  },
  "header.value_empty": {
    header_empty: "The header {name} has no value.",
  },
  "header.value_invalid": {
    header_control_character: "The value of {name} contains a line break or a control character.",
  },
  "header.value_too_long": {
    header_value_octets: "The value of {name} exceeds {max} octets.",
    header_word: "The value of {name} has more than {max} characters without a space to fold it at.",
  },
  "header.value_not_ascii": {
    value_not_ascii: "The value of {name} must be ASCII.",
  },
  "header.duplicate": {
    header_twice: "The header {name} is given twice.",
  },
  "header.too_many": {
    most_header_fields_given: "At most {max} header fields can be given.",
    most_headers_given: "At most {max} headers can be given.",
  },
  "header.too_large": {
    headers_exceed_octets_together: "The headers exceed {max} octets together.",
  },
  "attachment.filename_invalid": {
    file_name_contains_characters_change_how:
      "The file name contains characters that change how it is displayed, or a broken one.",
    file_name_contains_line_break_control: "The file name contains a line break or a control character.",
    file_name_contains_path_separator: "The file name contains a path separator.",
    file_name_empty: "The file name is empty.",
    file_name_folder: "The file name is that of a folder.",
    file_name_looks_like_encoded_word: "The file name looks like an encoded word; write it in plain UTF-8.",
    file_name_starts_ends_space: "The file name starts or ends with a space.",
  },
  "attachment.filename_too_long": {
    file_name_longer_than_octets: "The file name is longer than {max} octets.",
  },
  "attachment.content_type_invalid": {
    content_type_not_form_type_subtype:
      "The content type is not of the form type/subtype, with parameters as name=value.",
  },
  "attachment.content_type_not_allowed": {
    multipart_type_cannot_attached_rfc_2045:
      "A multipart type cannot be attached: RFC 2045 section 6.4 forbids to encode it.",
    part_as_it_is:
      "A part of the type {type} goes as it is (RFC 2046 section 5.2.1): lines of up to 998 octets of ASCII that end in CRLF. Give it the type application/octet-stream to attach other content.",
  },
  "attachment.content_id_invalid": {
    content_id_up_letters_digits:
      "A content id is up to {max} letters, digits and . _ + = @ -, without brackets.",
  },
  "attachment.content_id_missing": {
    inline_content_id_missing: "An inline attachment needs a content id for the html to refer to.",
  },
  "attachment.content_id_duplicate": {
    content_id_twice: "Two attachments have the same content id.",
  },
  "attachment.content_not_base64": {
    content_not_base64_standard_alphabet_padding:
      "The content is not base64 in the standard alphabet, with padding (line breaks are allowed).",
  },
  "template.output_too_large": {
    part_output_too_large: "The {part} comes out larger than is allowed.",
  },
  "template.limit_exceeded": {
    part_too_deep: "The {part} is nested too deeply, or too long.",
    template_engine: "{detail}.",
  },
  "template.render_failed": {
    data_template_empty_body: "With this data the template has an empty body.",
    template_could_not_rendered: "The template could not be rendered.",
    template_engine: "{detail}.",
  },
  "template.name_invalid": {
    template_name:
      "A template's name has 1 to 100 of a-z, 0-9, '.', '_' and '-', a letter or digit at both ends.",
  },
  "template.body_missing": {
    template_needs_html_text_both: "A template needs html or text, or both.",
  },
  "template.too_large": {
    field_longer_than_characters: "The {field} is longer than {max} characters.",
    part_longer_than_characters: "The {part} is longer than {max} characters.",
    too_many_tags:
      "The {part} has more than {max} outputs and tags, or more than {max_characters} characters in them.",
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
      "A variable's name is made of letters, digits, _ and -, with dots between levels.",
  },
  "template.variable_duplicate": {
    variable_declared_twice: "The variable {name} is declared twice.",
  },
  "template.fallback_type": {
    fallback_type: "The fallback of {name} is not of the type {type}.",
  },
  "template.unknown": {
    no_template: 'There is no template "{name}".',
  },
  "template.variable_missing": {
    template_needs_variable_not_given: "The template needs the variable {variable}, which is not given.",
  },
  "template.variable_type": {
    variable_type: "The variable {variable} must be of the type {type}.",
  },
  "template.not_found": {
    no_built_in_template: 'No built-in template is called "{name}"; there is {allowed}.',
    no_template: 'There is no template "{name}".',
  },
  "template.version_not_found": {
    no_draft: 'The template "{name}" has no draft.',
    no_published_version: 'The template "{name}" has no published version.',
    no_version: 'The template "{name}" has no version {version}.',
  },
  "template.exists": {
    template_already: 'There is a template "{name}" already.',
  },
  "template.stale": {
    resource_changed:
      "Another client has changed the resource since the revision in `if_revision`. The present revision is {revision}. Nothing was changed.",
    resource_gone:
      "Another client has changed the resource since the revision in `if_revision`. There is no such resource now. Nothing was changed.",
  },
} as const;
