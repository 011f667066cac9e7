/** Takes from a message what would let its reader compute a password: digest responses (RFC 7616, 3.4). Lengths stay. */

const RESPONSE = /^((?:Proxy-)?Authorization[ \t]*:[^\r\n]*?\bresponse=")([^"\r\n]*)(")/gim;

export const maskCredentials = (text: string): string =>
  // Nearly no message has one: look before matching.
  text.includes('uthorization') || text.includes('UTHORIZATION')
    ? text.replace(
        RESPONSE,
        (_all, head: string, secret: string, tail: string) => head + '*'.repeat(secret.length) + tail,
      )
    : text;
