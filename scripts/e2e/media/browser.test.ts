/** Video calls with a browser, whose WebRTC uses one transport for audio and video: as callee and as caller. It counts separately. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { until } from '../../../scripts/peers/process.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, type MediaInput, receives } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startChromium } from '../../peers/referees/chromium.ts';
import { header, methodOf, readSip, repeated, writeSip } from '../../peers/sip/behaving/sip-text.ts';
import { callByHand } from '../../peers/sip/call-by-hand.ts';

const SECONDS = 20;
/** Of each stream, by the browser's count: far fewer than a call has. */
const PACKETS = 40;
const media: MediaInput = {
  ice: 'HOST',
  encryption: 'DTLS',
  audioCodecs: ['OPUS'],
  videoCodecs: ['VP8'],
  mediaTracks: [
    { kind: 'AUDIO', source: 'TONE' },
    { kind: 'VIDEO', source: 'PATTERN' },
  ],
};

const net = ownLoopback();
const socket = createSocket('udp4');
socket.bind(0, net.address(60));
await once(socket, 'listening');
t.teardown(() => void socket.close());
const phone = `sip:browser@${net.address(60)}:${socket.address().port}`;

const browser = await startChromium([
  '--allow-loopback-in-peer-connection',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--autoplay-policy=no-user-gesture-required',
]);
t.teardown(() => browser.close());

/** A page with a sender of each kind, without permission prompts. */
const PEER = `
  const pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
  const canvas = document.createElement('canvas');
  const paper = canvas.getContext('2d');
  setInterval(() => paper.fillRect(Math.random() * 200, Math.random() * 100, 9, 9), 40);
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const out = audio.createMediaStreamDestination();
  tone.connect(out);
  tone.start();
  for (const track of [...out.stream.getTracks(), ...canvas.captureStream(25).getTracks()]) pc.addTrack(track);
  const gathered = async (description) => {
    await pc.setLocalDescription(description);
    while (pc.iceGatheringState !== 'complete') await new Promise((done) => setTimeout(done, 20));
    return pc.localDescription.sdp;
  };
  window.offer = async () => gathered(await pc.createOffer());
  window.answer = async (sdp) => {
    await pc.setRemoteDescription({ type: 'offer', sdp });
    return gathered(await pc.createAnswer());
  };
  window.take = (sdp) => pc.setRemoteDescription({ type: 'answer', sdp });
  window.counts = async () => {
    const all = [...(await pc.getStats()).values()];
    const rtp = all.filter(({ type }) => type === 'inbound-rtp');
    const sent = all.filter(({ type }) => type === 'outbound-rtp');
    return {
      transports: all.filter(({ type }) => type === 'transport').length,
      received: Object.fromEntries(rtp.map((one) => [one.kind, one.packetsReceived])),
      sent: Object.fromEntries(sent.map((one) => [one.kind, one.packetsSent])),
      decoded: rtp.find(({ kind }) => kind === 'video')?.framesDecoded ?? 0,
    };
  };
`;
type Counts = {
  readonly transports: number;
  readonly received: Readonly<Record<string, number>>;
  readonly sent: Readonly<Record<string, number>>;
  readonly decoded: number;
};

async function openPage(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.evaluate(PEER);
  return page;
}
const ask = <T>(page: Page, name: string, sdp?: string): Promise<T> =>
  page.evaluate(`window.${name}(${sdp === undefined ? '' : JSON.stringify(sdp)})`);

/** The browser's counts once both streams flow both ways and it has decoded a frame, which it does later. */
const flowing = (page: Page): Promise<Counts> =>
  until('media flow both ways', async () => {
    const counts = await ask<Counts>(page, 'counts');
    const all = [counts.received, counts.sent].flatMap(({ audio = 0, video = 0 }) => [audio, video]);
    return Math.min(...all) >= PACKETS && counts.decoded > 0 && counts;
  });

/** Answers INVITE with the page's description, and all else with 200. */
const called = await openPage();
const offers: string[] = [];
let answering: Promise<string> | null = null;
socket.on('message', async (bytes, from) => {
  const message = readSip(bytes.toString());
  const method = message === null ? '' : methodOf(message);
  if (message === null || method === '' || method === 'ACK') return;
  if (method === 'INVITE' && answering === null) {
    offers.push(message.body);
    answering = ask<string>(called, 'answer', message.body);
  }
  const body = method === 'INVITE' ? await answering! : '';
  const contact = [['Contact', `<${phone}>`] as const];
  const route = message.headers.filter(([name]) => name === 'record-route');
  const reply = writeSip('SIP/2.0 200 OK', [...repeated(message, 'browser'), ...route, ...contact], body);
  if (header(message, 'call-id') !== '') socket.send(reply, from.port, from.address);
});

const shape = { endpoints: 1, durationSeconds: SECONDS, media };
const lab = await openLab(t, {
  net,
  provision: () => ({ tests: [callsTo(phone, 'calls-browser', shape), receives('called-by-browser', shape)] }),
});

async function streamsOf(id: string) {
  return lab.query<{ received: number; secured: string; state: string; place: string }>(
    `select packets_received as received, details #>> '{security,state}' as secured,
       details #>> '{ice,state}' as state, details #>> '{ice,local}' as place from streams where run_id = $1`,
    [id],
  );
}

function judge(t: Test, rows: Awaited<ReturnType<typeof streamsOf>>, counts: Counts): void {
  t.equal(rows.length, 2, 'audio and video');
  for (const { received, secured, state } of rows) {
    t.match({ secured, state }, { secured: 'DTLS', state: 'COMPLETED' });
    t.ok(received >= PACKETS, `${received} received`);
  }
  t.equal(new Set(rows.map(({ place }) => place)).size, 1, 'from one place');
  t.equal(counts.transports, 1);
  t.ok(counts.decoded > 0, 'the browser has seen frames');
}

t.test('a browser is called: it takes the offer, in which all is proposed for one transport', async (t) => {
  const id = await lab.startRun('calls-browser');
  const counts = await flowing(called);
  const { callTiming, error, starts } = await lab.ended(id);
  t.same([callTiming.totalCalls, callTiming.successCount], [1, 1], JSON.stringify({ error, starts }));
  t.match(offers[0], /a=group:BUNDLE 0 1/);
  t.comment(JSON.stringify(counts));
  judge(t, await streamsOf(id), counts);
});

t.test('a browser calls, which gathers for one transport only', async (t) => {
  const id = await lab.startRun('called-by-browser');
  const calling = await openPage();
  const offer = await ask<string>(calling, 'offer');
  const { answer, hangUp } = await callByHand(`sip:callee@${net.address(11)}:${lab.agents[0]?.sipPort}`, offer);
  t.match(answer, /a=group:BUNDLE 0 1/);
  await ask(calling, 'take', answer);
  const counts = await flowing(calling);
  t.comment(JSON.stringify(counts));
  hangUp();
  await lab.ended(id);
  judge(t, await streamsOf(id), counts);
});
