/** The size of a request's body, and of a document of the driver's reference. */
export const MESSAGE_BYTES = 4096;
/** Domain of all recipients over SMTP. */
export const RECIPIENT_DOMAIN = "customer.example";
/** Messages go to so many domains, as those of a real sender do. */
const DOMAINS = 200;

const SENTENCE = "Your order has left our warehouse and should be with you within two working days. ";

/**
 * Bodies of POST /v1/email/send: html and text, 4096 bytes each, to addresses in 200 domains.
 * @param {string} sender
 * @returns {string[]}
 */
export function messageBodies(sender) {
  return Array.from({ length: DOMAINS }, (_, index) => {
    const email = {
      from: `Acme Orders <${sender}>`,
      to: `Ada Lovelace <ada.${index}@customer-${index}.example>`,
      subject: `Order ${4000 + index} is on its way`,
      html: "",
      text: SENTENCE.repeat(10),
      tags: ["shipping"],
      metadata: { order_id: `${4000 + index}` },
    };
    const paragraph = `<p style="margin:0 0 16px">${SENTENCE}</p>\n`;
    const frame = (/** @type {string} */ inner) => `<html><body>\n${inner}</body></html>\n`;
    email.html = frame(paragraph.repeat(21));
    const missing = MESSAGE_BYTES - Buffer.byteLength(JSON.stringify(email));
    if (missing < 0) throw new Error(`The message is ${-missing} bytes too long.`);
    email.html = frame(paragraph.repeat(21) + ".".repeat(missing));
    return JSON.stringify(email);
  });
}
