import t from 'tap';
import { isSdpFault } from './session-description.ts';
import { offerBehind } from './version.ts';

const sdp = (direction: string, version = '7', address = '192.0.2.1', port = 4000): string =>
  `v=0\r\no=- 1 ${version} IN IP4 ${address}\r\ns=-\r\nc=IN IP4 ${address}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\na=${direction}\r\n`;

t.test('the version of a later offer (RFC 3264, 8)', (t) => {
  const current = sdp('sendrecv', '7');
  t.equal(offerBehind(current, sdp('sendrecv', '3')), current, 'nothing changes: word for word the same');
  t.equal(offerBehind(current, sdp('sendonly', '3')), sdp('sendonly', '8'));
  t.equal(offerBehind(current, sdp('sendonly', '12')), sdp('sendonly', '8'), 'one more, not five');
  t.equal(
    offerBehind(sdp('sendrecv', '18446744073709551614'), sdp('sendonly')),
    sdp('sendonly', '18446744073709551615'),
  );
  t.ok(isSdpFault(offerBehind('nonsense', sdp('sendonly'))));
  t.end();
});
