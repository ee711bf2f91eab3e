/**
 * Results of the check of BIMI, by code. Sentences about the image or the certificate continue `bimi.image` or
 * `bimi.certificate`. `{end}` is a period, or empty before `bimi.or`.
 */
export const bimiSentences = {
  "bimi.expected":
    "The TXT record at default._bimi has https addresses of an image (SVG Tiny PS) and a certificate, and the DMARC policy is quarantine or reject.",
  "bimi.not_needed": "The domain sends no mail, so no logo is shown.",
  "bimi.none": "There is no BIMI record. It is optional.",
  "bimi.several": "There are {count} BIMI records at {name}, so receivers use none.",
  "bimi.no_image": "The BIMI record has no l tag.",
  "bimi.tags": "The tags of the BIMI record cannot be parsed.",
  "bimi.declined": "The domain declines to show a logo (l is empty).",
  "bimi.no_address": "The BIMI record has no https address in {tags:and}.",
  "bimi.valid": "The BIMI record, its image and its certificate have no problems.",
  "bimi.no_certificate": "Without a certificate (a), some mailbox providers do not show the logo.",
  "bimi.not_enforced":
    "There is a BIMI record, but receivers show no logo without a fully enforced DMARC policy.",

  "bimi.keep_one": "Keep only one of them.",
  "bimi.correct_record": "Change the record at {name} to the form v=BIMI1; l=https://…; a=https://….",
  "bimi.correct_files":
    "Correct the image or the certificate. Receivers show a logo only if both meet their requirements.",
  "bimi.enforce":
    "Set the DMARC policy to quarantine or reject, also for subdomains, and not in test mode (t=y).",

  "bimi.image": "The image:",
  "bimi.certificate": "The certificate:",
  "bimi.not_available": "It is not available: {reason:lookup_failure}.",
  "bimi.not_fetched": "The fetch failed: {reason:lookup_failure}.",

  "bimi.doctype": "It has a document type (DOCTYPE).",
  "bimi.many_tags": "It has more than {count} tags.",
  "bimi.xml_invalid": "Its XML is invalid: {detail}.",
  "bimi.xml_refused": "Its XML is refused: {detail}.",
  "bimi.no_svg": "It is not an SVG: its root element is not svg.",
  "bimi.instructions": "It has processing instructions (<?…?>).",
  "bimi.large": "It has {count} octets. Some receivers accept at most {most}.",
  "bimi.base_profile": 'Its baseProfile is not "tiny-ps".',
  "bimi.svg_version": 'Its version is not "1.2".',
  "bimi.no_title": "It has no title.",
  "bimi.root_place": "Its root element has x or y.",
  "bimi.element": "It has the element “{name}”.",
  "bimi.attribute": "It has the attribute “{name}”.",
  "bimi.external": "It has an external reference: “{value}”.",
  "bimi.external_style": "Its style has an external reference.",

  "bimi.no_pem": "The file contains no PEM certificate.",
  "bimi.no_mark": "It is not a mark certificate (extended key usage).",
  "bimi.expired": "It expired on {day}.",
  "bimi.not_yet_valid": "It is not valid before {day}.",
  "bimi.expires": "It expires on {day}.",
  "bimi.authority_expired": "The certificate of its authority ({name}) expired on {day}.",
  "bimi.authority_not_yet_valid": "The certificate of its authority ({name}) is not valid before {day}.",
  "bimi.names": "It is for {names},",
  "bimi.no_names": "It is for no domain,",
  "bimi.not_for": "not for {domain}{end}",
  "bimi.or": "or {domain}{end}",
  "bimi.self_signed": "It is self-signed.",
  "bimi.authority_first":
    "The first certificate belongs to an authority. The mark certificate must come first.",
  "bimi.no_issuer": "The certificate of the issuing authority does not follow it.",
  "bimi.no_logotype": "It contains no image (logotype).",
  "bimi.embedded_unreadable": "The embedded image cannot be read.",
  "bimi.embedded_digest": "The embedded image does not match its digest.",
  "bimi.embedded_differs": "The embedded image differs from the image of the record.",
} as const;
