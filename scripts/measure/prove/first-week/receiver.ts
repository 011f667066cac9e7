/** Receives webhooks on the address and port of its arguments, and prints the headers and the body of each as a line of JSON. */
import { createServer } from 'node:http';

const [address, port] = process.argv.slice(2);
createServer(async (incoming, response) => {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  console.log(JSON.stringify({ headers: incoming.headers, body }));
  response.writeHead(204).end();
}).listen(Number(port), address);
