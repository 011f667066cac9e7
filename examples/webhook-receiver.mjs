// WEBHOOK_SECRET=whsec_… [PORT=4000] node webhook-receiver.mjs: prints what Carillon sends, if its signature is valid.
// The signature follows Standard Webhooks. No dependency.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env;
if (!WEBHOOK_SECRET.startsWith('whsec_')) throw new Error('WEBHOOK_SECRET is whsec_ and base64, as Carillon shows it once.');
const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const MAX_AGE_SECONDS = 300;
const MAX_BYTES = 1024 * 1024;

/** The header may have several signatures, because a secret that is replaced is valid for a day. */
function isValid({ 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' }, body) {
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < MAX_AGE_SECONDS)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Deliveries may come twice: the id is the same in every attempt. */
const seen = new Set();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) {
    body += part;
    if (body.length > MAX_BYTES) return response.writeHead(413).end();
  }
  if (!isValid(request.headers, body)) return response.writeHead(401).end();
  response.writeHead(204).end();
  if (seen.has(request.headers['webhook-id'])) return;
  seen.add(request.headers['webhook-id']);
  const { type, timestamp, data } = JSON.parse(body);
  console.log(timestamp, type, JSON.stringify(data));
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${server.address().port}/`));
