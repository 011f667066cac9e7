/** Every setting in the form of a test, filled in and read back; errors are shown at their fields. */

import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import type { Chapter } from './lab.ts';
import { askAs, endedRun, runByClicks } from './lab-data.ts';
import { fold, unfold } from './sections.ts';
import { shows } from './shows.ts';

type Group = Readonly<Record<string, unknown>>;

type Focused = { readonly fields: number; readonly covered: readonly string[] };
/** Focuses each field, down the form and up again: which ones the buttons or the head cover then. */
const focusEach = (place: string, head: string): string => `(() => {
  const [bar, head] = ['${place} .form-buttons', '${head}'].map((one) => document.querySelector(one));
  const fields = [...document.querySelectorAll('${place} form :is(input, textarea, button)')].filter(
    (one) => !one.disabled && one.tabIndex >= 0 && one.getClientRects().length > 0 && !bar.contains(one),
  );
  const covered = [...fields, ...fields.toReversed()].flatMap((one) => {
    one.focus();
    const { top, bottom } = one.getBoundingClientRect();
    const isFree = top >= head.getBoundingClientRect().bottom && bottom <= bar.getBoundingClientRect().top;
    return isFree && bar.getBoundingClientRect().bottom <= innerHeight ? [] : [one.outerHTML];
  });
  return { fields: fields.length, covered };
})()`;

export const forms: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const ask = askAs(page);
  const at = new URL(lab.projectUrl).pathname;
  const net = ownLoopback();
  const trunk = await startSipp({ address: net.address(61), scenario: { builtIn: 'uas' } });
  t.teardown(() => trunk.stop('SIGKILL'));
  const host = trunk.uri.replace(/^sip:[^@]+@/, '');
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  /** At its field. */
  const refused = (message: string) => page.locator('.mantine-InputWrapper-error', { hasText: message });
  const isFocused = async (name: string) => (await field(name).and(page.locator(':focus')).count()) === 1;
  /** The page of the test that was made or changed, where it can be run. */
  const pageOf = async (name: string) => {
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.getByRole('button', { name: /^Run (this test|anyway)$/ }).waitFor();
  };
  const choose = async (list: string, option: string) => {
    await page.getByRole('combobox', { name: list, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const groupsOf = async (name: string): Promise<readonly Group[]> => {
    const tests = await ask<{ id: string; name: string }[]>('GET', `${at}/tests?per_page=100`);
    const { id } = tests.find((one) => one.name === name) ?? { id: '' };
    return (await ask<{ groups: Group[] }>('GET', `${at}/tests/${id}`)).groups;
  };

  await t.test('a trunk with a domain and accounts of several columns', async (t) => {
    await page.goto(`${lab.projectUrl}/registrars`);
    await button('New registrar').click();
    await field('Name').fill('Trunk of the forms');
    await field('SIP address').fill(`sip:${host}`);
    await page.getByRole('radio', { name: /^Trunk/ }).check();
    const { fields, covered } = await page.evaluate<Focused>(
      focusEach('.mantine-Modal-content', '.mantine-Modal-header'),
    );
    t.ok(fields > 8, `${fields} fields of the dialog`);
    t.same(covered, [], 'the buttons of the dialog stay in view, and cover none');
    await field('Domain').fill('home.example');
    await field('Further gateways').fill('gateway.example');
    await button('Create registrar').click();
    await refused('must be an address, for example 192.0.2.1').waitFor();
    await field('Further gateways').fill(`${net.address(62)}:5060`);
    await button('Create registrar').click();
    await page.getByRole('link', { name: 'Trunk of the forms' }).click();
    await button('Add SIP accounts').click();
    await field('Accounts').fill('username,password,number,desk\na,x,+49301,12\nb,y,+49302,13');
    await shows(t, page.getByRole('dialog').getByRole('table'), /\{\{desk\}\}[\s\S]*\+49301[\s\S]*12/);
    await button('Add 2 accounts').click();
    await page.getByRole('cell', { name: 'desk 12' }).waitFor();
    await button('Change a').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Number' }).fill('+49309');
    await dialog.getByRole('textbox', { name: 'Custom values' }).fill('desk=12\npin');
    await refused('line 2 is not of the form name=value').waitFor();
    await dialog.getByRole('textbox', { name: 'Custom values' }).fill('desk=12\npin=47=11');
    await dialog.getByRole('combobox', { name: 'Authenticates with' }).click();
    await page.getByRole('option', { name: 'Another HA1' }).click();
    await dialog.locator('input[type=password]').fill('no digits');
    await button('Save').click();
    await refused('HA1 is 32 hexadecimal digits').waitFor();
    t.same(await barriersInBoth(page), [], 'an account that is changed');
    await dialog.locator('input[type=password]').fill('0123456789abcdef0123456789abcdef');
    await button('Save').click();
    await page.getByRole('cell', { name: 'pin 47=11' }).waitFor();
    await shows(t, page.getByRole('row', { name: /\+49309/ }), /an HA1/);
    await button('Change').click();
    await field('Domain').fill('house.example');
    t.same(await barriersInBoth(page), [], 'a registrar that is changed');
    await button('Save').click();
    await page.getByText('domain house.example').waitFor();
    await shows(t, page.locator('main'), /then 127\.\d+\.\d+\.\d+:5060/, 'what was not changed stays');
  });

  await t.test('the buttons of a form stay in view, and cover no field that has the focus', async (t) => {
    const size = page.viewportSize();
    for (const [what, width, height] of [
      ['tests', 1400, 900],
      ['tests', 390, 700],
      ['probes', 390, 700],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${lab.projectUrl}/${what}/new`);
      await unfold(page);
      const { fields, covered } = await page.evaluate<Focused>(focusEach('main', 'header'));
      t.ok(fields > 30, `${what}, ${width} px: ${fields} fields`);
      t.same(covered, [], `${what}, ${width} px`);
    }
    if (size) await page.setViewportSize(size);
  });

  await t.test('a template fills the form, and keeps what was typed', async (t) => {
    await page.goto(`${lab.projectUrl}/tests/new`);
    await field('Name').fill('From a template');
    t.ok(await page.getByRole('button', { name: /^Registration storm/ }).isDisabled(), 'no registrar takes one');
    const walk = page.getByRole('button', { name: /^IVR walk/ });
    await walk.click();
    t.same(await barriersInBoth(page), [], 'a template');
    await shows(t, page.locator('.form-sections'), /Signalling\s+No session timer, 3 actions/);
    await walk.click();
    await shows(t, page.locator('.form-sections'), /Signalling\s+No session timer, no actions/);
    await page.getByRole('button', { name: /^Trunk load/ }).click();
    await choose('Registrar or trunk', 'Trunk of the forms');
    await field('Address').fill(`sip:9000@${host}`);
    await page.getByText('1,200 calls').waitFor();
    await button('Create test').click();
    await pageOf('From a template');
    t.match(await groupsOf('From a template'), [
      { callee: { uri: `sip:9000@${host}` }, subPopulations: [{ calls: null }] },
    ]);
  });

  await t.test('target, caller, media and signalling', async (t) => {
    await page.goto(`${lab.projectUrl}/tests/new`);
    await field('Name').fill('Everything set');
    await page.getByRole('radio', { name: 'A SIP address', exact: true }).check();
    const way = page.getByRole('combobox', { name: 'Registrar or trunk' });
    t.equal(await way.inputValue(), 'None: directly to the address', 'no trunk is chosen for the user');
    await choose('Registrar or trunk', 'Trunk of the forms');
    await field('Address').fill(`sip:{{desk}}@${host}\nsip:{{1000..1999}}@${host}\nnobody`);
    await field('Calls').fill('2');
    await field('Call duration, seconds').fill('1');
    await unfold(page);
    await choose('Packet time', '30 ms');
    await choose('RTP profile', 'AVPF');
    await choose('ICE', 'The same, and the address that a STUN server sees');
    await field('STUN server').fill('turn:turn.example');
    await field('Caller number').fill('0{{number}}');
    await field('P-Asserted-Identity').fill('4930');
    await page.getByRole('combobox', { name: 'Privacy' }).click();
    await page.getByRole('option', { name: 'id', exact: true }).click();
    await page.keyboard.press('Escape');
    await field('Diversion').fill('sip:100@house.example');
    await choose('Reason', 'no answer');
    await field('Answer timeout, seconds').fill('20');
    await page.getByRole('checkbox', { name: 'Session timer' }).check();
    await field('Expires, seconds').fill('600');
    await button('Add a header field').click();
    await fold(page);
    await button('Create test').click();
    await field('Header field').waitFor();
    t.ok(await isFocused('Header field'), 'a field that is required is shown, and has the focus');
    await field('Header field').fill('Via');
    await field('Value').fill('desk {{desk}}');
    await unfold(page);
    t.same(await barriersInBoth(page), [], 'a form with everything');
    await fold(page);
    await shows(t, page.locator('.form-sections'), /asserted as 4930, privacy id.*\n?.*header field Via/);
    await button('Create test').click();
    for (const fault of [
      'line 3: a SIP URI begins with sip: or sips:',
      'TURN is not supported',
      'is not a SIP or tel URI',
      'is a header field that the agent sets itself',
    ])
      await refused(fault).waitFor();
    t.equal(
      await page.evaluate("document.activeElement?.getAttribute('aria-invalid')"),
      'true',
      'the first of them has the focus',
    );
    t.same(await barriersInBoth(page), [], 'what was refused');
    await field('Address').fill(`sip:{{desk}}@${host}\nsip:{{1000..1999}}@${host}`);
    await choose('ICE', "The agent's own addresses");
    await field('Header field').fill('X-Desk');
    await fold(page);
    await button('Create test').click();
    await field('P-Asserted-Identity').waitFor();
    await until('what was folded has the focus', () => isFocused('P-Asserted-Identity'));
    await field('P-Asserted-Identity').fill('tel:{{number}}');
    await button('Create test').click();
    await pageOf('Everything set');
    t.match(await groupsOf('Everything set'), [
      {
        callee: { mode: 'EXTERNAL_URI', uri: `sip:{{desk}}@${host}`, uris: [`sip:{{1000..1999}}@${host}`] },
        packetMs: 30,
        feedbackProfile: 'AVPF',
        ice: 'HOST',
        callerNumber: '0{{number}}',
        assertedIdentity: 'tel:{{number}}',
        privacy: ['ID'],
        diversion: { uri: 'sip:100@house.example', reason: 'NO_ANSWER', counter: 1 },
        answerTimeoutSeconds: 20,
        signalling: { sessionTimer: { expiresSeconds: 600, minSeconds: 90, refresher: null } },
        headers: [{ methods: ['INVITE'], name: 'X-Desk', value: 'desk {{desk}}' }],
      },
    ]);
    const { id: runId } = await endedRun(ask, at, async () => {
      await page.goto(`${lab.projectUrl}/tests`);
      await page.getByRole('button', { name: /^Run Everything set/ }).click();
      const before = page.getByRole('dialog');
      await before.getByText('2 calls').waitFor();
      await shows(t, before, /up to 2 calls.*at once.*SIP account[\s\S]*To sip:/);
      t.same(await barriersInBoth(page), [], 'what a run sends, before it starts');
      return runByClicks(page, () => button('Start run').click());
    });
    await page.goto(`${lab.projectUrl}/runs/${runId}?list=messages`);
    await page.getByRole('button', { name: 'INVITE', exact: true }).first().click();
    const message = page.getByRole('dialog');
    await message.getByText('X-Desk').first().waitFor();
    const text = await message.innerText();
    for (const line of [
      /From: .*sip:0\+49309@house\.example/,
      /P-Asserted-Identity: <tel:\+49309>/,
      /Privacy: id/,
      /Diversion: <sip:100@house\.example>;reason=no-answer;counter=1/,
      /X-Desk: desk 12/,
      /Session-Expires: 600/,
      /a=ptime:30/,
      /RTP\/AVPF/,
    ])
      t.match(text, line);
  });

  await t.test('what endpoints do in a call: 100rel, video, actions, impairment; and what ends a run', async (t) => {
    const check = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await page.goto(`${lab.projectUrl}/tests/new`);
    await field('Name').fill('A whole scenario');
    await page.getByRole('radio', { name: 'A SIP address', exact: true }).check();
    await choose('Registrar or trunk', 'Trunk of the forms');
    await field('Address').fill(`sip:9000@${host}`);
    await field('Call duration, seconds').fill('4');
    await unfold(page);
    await choose('Audio direction', 'Sent only');
    await check('Video').check();
    await check('Video is added later').check();
    await choose('Reliable provisional responses', 'Required');
    await check('INVITE without SDP').check();
    await check('Impaired network').check();
    await field('Loss, %').fill('2.5');
    for (let n = 0; n < 3; n++) await button('Add an action').click();
    await choose('Action 1', 'Add a deferred track');
    await choose('Action 2, after', 'digits arrive');
    await field('Action 2, digits received').fill('9x');
    await choose('Action 2', 'Transfer (REFER)');
    await field('Action 2, to').fill('nobody');
    await check('Circuit breaker').uncheck();
    await field('Maximum run time, seconds').fill('90');
    t.same(await barriersInBoth(page), [], 'a form with a scenario');
    await button('Create test').click();
    for (const fault of ['digits are 1 to 32', 'a SIP URI begins with sip: or sips:']) await refused(fault).waitFor();
    await field('Action 2, digits received').fill('9');
    await field('Action 2, to').fill(`sip:8000@${host}`);
    await field('Action 3, seconds').fill('7.5');
    await button('Create test').click();
    await refused('7.5 s exceed the call, which lasts 4 s').waitFor();
    await button('Remove action 3').click();
    await button('Create test').click();
    await pageOf('A whole scenario');
    const wanted = [
      {
        videoCodecs: ['VP8'],
        mediaTracks: [
          { kind: 'AUDIO', source: 'TONE', direction: 'SEND', deferred: false },
          { kind: 'VIDEO', source: 'PATTERN', direction: 'BOTH', deferred: true },
        ],
        signalling: { reliableProvisional: 'REQUIRED', delayedOffer: true, sessionTimer: null },
        impairment: { lossPercent: 2.5, seed: 1 },
        actions: [
          { trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'ACTIVATE_TRACK', track: 1 } },
          { trigger: { on: 'DTMF', digits: '9' }, action: { do: 'REFER', target: `sip:8000@${host}` } },
        ],
      },
    ];
    const stored = await groupsOf('A whole scenario');
    t.match(stored, wanted);
    await unfold(page);
    t.equal(await field('Action 2, to').inputValue(), `sip:8000@${host}`, 'read back');
    t.notOk(await check('Circuit breaker').isChecked());
    await button('Save').click();
    await page.getByRole('status').getByText('Saved').waitFor();
    await pageOf('A whole scenario');
    t.same(await groupsOf('A whole scenario'), stored, 'saved without a change, it is as it was');
  });

  await t.test('a template fills the form of a probe, and keeps what was typed', async (t) => {
    await page.goto(`${lab.projectUrl}/probes/new`);
    await field('Name').fill('Probe from a template');
    const template = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
    const action = page.getByRole('combobox', { name: 'Action' });
    t.ok(await template('Phones can register').isDisabled(), 'no registrar takes one');
    await template('Both ends hear').click();
    t.equal(await field('Call duration, seconds').inputValue(), '30');
    t.same(await barriersInBoth(page), [], 'a template of a probe');
    await template('Trunk is up').click();
    t.equal(await action.inputValue(), 'Send OPTIONS');
    await template('Trunk is up').click();
    t.equal(await action.inputValue(), 'Call: set-up, media, hang-up');
    await template('Trunk is up').click();
    await field('Address').fill(`sip:9000@${host}`);
    await button('Create probe').click();
    await page.getByRole('heading', { name: 'Probe from a template' }).waitFor();
  });

  await t.test('a probe names its caller, and waits, as a test does', async (t) => {
    await page.goto(`${lab.projectUrl}/probes/new`);
    await field('Name').fill('Named probe');
    const goes = page.getByRole('status', { name: 'Where calls go' });
    t.equal(await page.getByRole('combobox', { name: 'Via' }).inputValue(), 'None: directly to the address');
    await field('Address').fill('sip:9000@192.0.2.7:5999');
    await shows(t, goes, /^Goes straight to 192\.0\.2\.7:5999\.$/);
    await choose('Via', 'Trunk of the forms');
    await shows(
      t,
      goes,
      new RegExp(`^Goes to ${host} \\(Trunk of the forms\\), not to 192\\.0\\.2\\.7:5999 as the address says`),
    );
    t.same(await barriersInBoth(page), [], 'an address that is elsewhere');
    await field('Address').fill(`sip:9000@${host}`);
    await shows(t, goes, new RegExp(`^Goes to ${host} \\(Trunk of the forms\\)\\.$`));
    await unfold(page);
    await field('Caller number').fill('0{{number}}');
    await field('P-Asserted-Identity').fill('nobody');
    await field('Answer timeout, seconds').fill('7');
    await button('Add a header field').click();
    await field('Header field').fill('X-Probe');
    await field('Value').fill('of {{desk}}');
    await button('Create probe').click();
    await refused('is not a SIP or tel URI').waitFor();
    await field('P-Asserted-Identity').fill('tel:+4930');
    t.same(await barriersInBoth(page), [], 'a probe with a caller');
    await button('Create probe').click();
    await page.getByRole('heading', { name: 'Named probe' }).waitFor();
    const probeAt = new URL(page.url()).pathname;
    const wanted = {
      callerNumber: '0{{number}}',
      assertedIdentity: 'tel:+4930',
      answerTimeoutSeconds: 7,
      headers: [{ methods: ['INVITE'], name: 'X-Probe', value: 'of {{desk}}' }],
    };
    t.match((await ask<{ test: object }>('GET', probeAt)).test, wanted);
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await unfold(page);
    t.equal(await field('Caller number').inputValue(), '0{{number}}', 'read back');
    await button('Save').click();
    await page.getByRole('heading', { name: 'Named probe' }).waitFor();
    t.match((await ask<{ test: object }>('GET', probeAt)).test, wanted, 'and kept');
  });

  await t.test('endpoints that take calls, and endpoints that register', async (t) => {
    await page.goto(`${lab.projectUrl}/tests/new`);
    await field('Name').fill('Taking calls');
    await page.getByRole('radio', { name: 'None: endpoints receive calls' }).check();
    await choose('Registrar or trunk', 'None: the built-in one');
    await choose('Calls are accepted', 'From the server and its addresses');
    t.same(await barriersInBoth(page), [], 'a form of callees');
    await button('Create test').click();
    await refused('nobody can call callees').waitFor();
    await choose('Calls are accepted', 'From any address');
    await choose('Each takes', 'any number of calls');
    await page.getByText('take any number of calls').waitFor();
    await button('Create test').click();
    await pageOf('Taking calls');
    await page.getByRole('radio', { name: 'None: endpoints receive calls' }).waitFor();
    t.match(await groupsOf('Taking calls'), [
      { callee: { mode: 'RECEIVE' }, callsFrom: 'ANYBODY', subPopulations: [{ role: 'CALLEE', calls: null }] },
    ]);
    await ask('POST', `${at}/registrars`, {
      name: 'Registrar of the forms',
      uri: `sip:${net.address(63)}`,
      register: true,
    });
    await page.goto(`${lab.projectUrl}/tests/new`);
    await field('Name').fill('Staying registered');
    await page.getByRole('radio', { name: 'None: endpoints only register' }).check();
    await choose('Registrar', 'Registrar of the forms');
    await unfold(page);
    await field('Registration expires, seconds').fill('90');
    await field('Registered for, seconds').fill('3');
    await page.getByRole('checkbox', { name: 'Register again after a failure' }).check();
    await field('Wait before a retry, seconds').fill('4');
    await field('Retry for, seconds').fill('2');
    await refused('is shorter than the wait before a retry').waitFor();
    await field('Retry for, seconds').fill('60');
    t.same(await barriersInBoth(page), [], 'a form of registrations');
    await button('Create test').click();
    await pageOf('Staying registered');
    t.match(await groupsOf('Staying registered'), [
      {
        ...{ mode: 'REGISTER', callee: { mode: 'NONE' }, registerExpiresSeconds: 90 },
        registerRetry: { afterSeconds: 4, withinSeconds: 60 },
      },
    ]);
    const before = page.getByRole('region', { name: 'Preflight' });
    await before.getByText('Not checked yet.').waitFor();
    await button('Check servers now').click();
    await before.getByText('Show SIP messages').waitFor();
    const said = () => before.innerText();
    await until('it was asked', async () => !/Not checked yet|in progress/.test(await said()), { idleMs: 120_000 });
    t.match(await said(), /SIP servers: not yet\s+Registrar of the forms: sip:127\.\S+ by UDP, from local\s+\S/);
    t.notMatch(await said(), /The check failed/, 'without an account, by OPTIONS');
    t.same(await barriersInBoth(page), [], 'a preflight whose servers were asked');
  });
};
