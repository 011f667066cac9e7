/** Which values of Accept take the answers of MCP, which are JSON. */
import t from 'tap';
import { acceptsJson } from './accept.ts';

t.test('JSON is taken', async (t) => {
  const taken = [
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'application/json, text/event-stream',
    'text/event-stream,application/json',
    'text/event-stream;q=0.5 , */* ; q=0.1',
    'application/json;charset=utf-8',
    'text/html, application/json;q=0.001',
    '*/*;q=0, application/json',
  ];
  for (const accept of taken) t.equal(acceptsJson(accept), true, String(accept));
});

t.test('JSON is not taken', async (t) => {
  const refused = [
    'text/event-stream',
    'text/html',
    'text/*',
    'application/json;q=0',
    'application/json; Q=0.000, */*',
    'application/*;q=0, */*',
    'application/jsonp',
    'application/json;q=x',
    ',',
  ];
  for (const accept of refused) t.equal(acceptsJson(accept), false, accept);
});
