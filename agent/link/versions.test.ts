/** Which of the two programs is older, from the welcome. */
import { decodeControlFrame, encodeControlFrame, type wire } from '@carillon/proto';
import t from 'tap';
import { versionsOf } from './versions.ts';

const CURRENT = { takesKeyChanges: true, takesMessageBlocks: true, takesStorageFaults: true, takesLeaving: true };
const GROWN = { ...CURRENT, version: '1.2.0', agentLacks: [] as string[] };

/** As it arrives: absent fields have their defaults. */
const arrived = (welcome: object) =>
  decodeControlFrame(Buffer.from(encodeControlFrame({ welcome }))).welcome as wire.agent.v1.Welcome;
const seen = (welcome: object, own: string) => versionsOf(arrived(welcome), own);

t.test('of the same version nothing follows, whatever else the agent cannot do', async (t) => {
  t.same(seen(GROWN, '1.2.0'), { version: '1.2.0', lacks: [], agentLacks: [], older: null });
  t.match(seen({ ...GROWN, agentLacks: ['ICE'] }, '1.2'), { agentLacks: ['ICE'], older: null });
});

t.test('the older one is named, with what it is too old for and what to install', async (t) => {
  for (const [welcome, own, said, cure] of [
    [
      { ...GROWN, agentLacks: ['ICE', 'codec OPUS'] },
      '1.1.9',
      /^this agent \(1.1.9\) .*: ICE, codec OPUS$/,
      /agent of version 1.2.0/,
    ],
    [GROWN, '1.1.9', /^this agent \(1.1.9\) is older than the control plane \(1.2.0\)$/, /agent of version 1.2.0/],
    [
      { ...GROWN, takesLeaving: false },
      '1.10.0',
      /^the control plane \(1.2.0\) .*: disposable agents$/,
      /plane of version 1.10.0/,
    ],
    [
      { takesLeaving: true },
      '0.1.0',
      /^the control plane is older than this agent \(0.1.0\), .*: new keys .*, faults of the disk$/,
      /plane of version 0.1.0/,
    ],
  ] as const) {
    t.match(seen(welcome, own).older, { said, cure }, `${own}: ${JSON.stringify(welcome)}`);
  }
});

t.test('frames of either version are read by the other', async (t) => {
  t.same(seen({}, '0.1.0').version, null, 'an older control plane tells nothing');
  t.equal(seen({}, '0.1.0').lacks.length, 4);
});
