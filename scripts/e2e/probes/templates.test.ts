/** Every template of the form of a probe, with what a person must add: saved, executed and graded, against a phone and a registrar. */
import t from 'tap';
import type { Output } from '../../../control-plane/contract/catalogue.ts';
import type { MetricKey } from '../../../control-plane/contract/metric-keys.ts';
import { suggestedLimits } from '../../../control-plane/dashboard/show/heard/suggested-limits.ts';
import {
  draftOfProbe,
  newProbe,
  type ProbeDraft,
  probeBody,
} from '../../../control-plane/dashboard/show/probe/probe-draft.ts';
import { PROBE_TEMPLATES, probeFilledBy } from '../../../control-plane/dashboard/show/probe/probe-templates.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startBaresip } from '../../peers/sip/baresip.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { openProbeClient, TELLS_TESTS } from './probe-client.ts';

const net = ownLoopback();
const phone = await startBaresip();
t.teardown(() => phone.stop());
const pbx = await startKamailio(net.address(71), 'registrar');
t.teardown(() => pbx.stop());
const lab = await openLab(t, {
  controlPlaneEnv: TELLS_TESTS,
  net,
  provision: () => ({
    tests: [],
    registrars: [
      { slug: 'pbx', name: 'PBX', uri: pbx.uri, sipAccounts: [{ username: '1001', password: passwordOf('1001') }] },
    ],
  }),
});
const { projectId } = lab;
const client = await openProbeClient(lab);
t.teardown(() => client.stop());
const { rows: registrars } = await lab.call('listRegistrars', { projectId });
const idOf = (slug: string) => registrars.find((r) => r.slug === slug)?.id as string;
const cloudId = idOf('cloud');

const createdBy = (draft: ProbeDraft, metricKey: MetricKey) =>
  lab.call('createProbe', { projectId, ...probeBody(draft, null), thresholds: [suggestedLimits(metricKey)] });

for (const template of PROBE_TEMPLATES)
  t.test(template.name, async (t) => {
    const { name, does, judgedBy } = template;
    const typed = { ...newProbe(cloudId), name, description: 'Typed before.' };
    const isCall = does !== 'REGISTER';
    await t.rejects(createdBy(probeFilledBy(template, typed, cloudId), judgedBy), {
      status: 422,
      message: isCall ? /callee\.uri|SIP URI/ : /registrar/i,
    });
    const said = probeFilledBy(template, { ...typed, uri: phone.uri }, cloudId);
    const draft = isCall ? said : { ...said, registrarId: idOf('pbx') };
    const probe: Output<'getProbe'> = await createdBy(draft, judgedBy);
    t.match(draftOfProbe(probe), isCall ? draft : { ...draft, uri: 'sip:' }, 'the form holds what it filled in');
    const execution = await client.executeUndisturbed(probe.id);
    if (await client.isDisturbed(execution)) return t.comment(`not judged: ${execution.message}`);
    t.match(
      execution,
      { status: /^(HEALTHY|DEGRADED)$/, thresholdResults: [{ metricKey: judgedBy }] },
      execution.message ?? '',
    );
    t.type(execution.thresholdResults[0]?.value, 'number', 'what decides was measured');
  });
