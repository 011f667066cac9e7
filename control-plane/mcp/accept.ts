/**
 * True if a client accepts JSON (RFC 9110, 12.5.1): the most specific range that covers it decides, and without the
 * field everything is accepted. `accept`: the header field's value.
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const qualities = new Map(accept.toLowerCase().split(',').map(rangeOf));
  const quality = ['application/json', 'application/*', '*/*'].map((range) => qualities.get(range));
  return (quality.find((q) => q !== undefined) ?? 0) > 0;
}

function rangeOf(text: string): [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((one) => /^q\s*=/.test(one));
  return [range, weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1))];
}
