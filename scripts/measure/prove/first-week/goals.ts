/** The goals of the first week in their order. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { until } from '../../../peers/process.ts';
import { startChromium, visit } from '../../../peers/referees/chromium.ts';
import type { Debian } from '../debian.ts';
import type { Effort } from './effort.ts';
import * as hosts from './install.ts';
import * as pages from './pages.ts';
import { startOn, type WiredHost } from './wire.ts';

export type Place = {
  readonly dir: string;
  readonly office: WiredHost;
  /** The address of the control plane's host. */
  readonly server: string;
  readonly plane: Debian;
  readonly agents: readonly Debian[];
  /** The one that signs the release. */
  readonly publicKey: string;
};

const ALARMS = 8088;

export async function goals(effort: Effort, place: Place, closers: (() => unknown)[]): Promise<void> {
  const { office, plane, agents } = place;
  await effort.goal('release verified', 'nothing to download', async () =>
    hosts.verify(effort, plane, place.publicKey),
  );
  const link = await effort.goal(
    'control plane with TLS, to the set-up link',
    "only on one's own host: 1 command, 10 s",
    () => hosts.installControlPlane(effort, plane),
  );
  const browser = await startBrowser(place);
  closers.push(() => browser.close());
  const { page, faults } = await visit(browser, hosts.URL_OF_ALL);
  try {
    await effort.goal('account and project', '3 clicks, 4 fields', () => pages.setUp(effort, page, link));
    for (const [i, debian] of agents.entries())
      await effort.goal(`agent on host ${i + 1}`, 'not possible by the given text', () =>
        pages.enroll(effort, page, `host-${i + 1}`, (commands) => hosts.installAgent(effort, debian, plane, commands)),
      );
    const sip = ['-i', office.address, '-mi', office.address, '-p', '5060', '-rtp_echo'];
    const scenario = path.join(import.meta.dirname, 'carrier.xml');
    const carrier = startOn(office, 'sipp', '-sf', scenario, ...sip, '-nostdin', '-watchdog_interval', '0');
    closers.push(() => carrier.stop('SIGKILL'));
    const at = `${office.address}:5060`;
    await effort.goal('trunk, test by template, run to its verdict', '16 clicks, 11 fields', async () => {
      await pages.makeTrunk(effort, page, `sip:${at}`);
      await pages.runFirstTest(effort, page, `sip:{{1000..1019}}@${at}`);
    });
    await effort.goal('from the run to the message of a failed call, and its pcapng', '5 clicks', () =>
      pages.readFailedCall(effort, page),
    );
    await effort.goal('probe, to its first grade', '4 clicks; a dead port was Healthy', () =>
      pages.makeProbe(effort, page, `sip:1001@${at}`),
    );
    const receiver = startOn(
      office,
      process.execPath,
      path.join(import.meta.dirname, 'receiver.ts'),
      office.address,
      `${ALARMS}`,
    );
    closers.push(() => receiver.stop('SIGKILL'));
    const secret = await effort.goal('webhook', '3 clicks, without a link in its message', () =>
      pages.makeWebhook(effort, page, `http://${office.address}:${ALARMS}/alarms`),
    );
    await carrier.stop('SIGKILL');
    const alarm = await effort.goal('carrier gone: incident and alarm', 'on strike 2, delivered in 0.3 s', async () => {
      await pages.breakTarget(effort, page);
      return until('the alarm comes', () => alarmIn(receiver.output(), secret), { of: [receiver] });
    });
    await effort.goal(
      'by the link of the alarm, acknowledged with a note',
      'no link; 3 clicks from the dashboard',
      () => pages.acknowledge(effort, page, alarm),
    );
    const invitation = await effort.goal('second customer', 'no way', () => pages.makeCustomer(effort, page));
    const guest = await visit(browser, hosts.URL_OF_ALL);
    await effort.goal('its owner comes in, and logs in again', 'no way', () =>
      pages.comeIn(effort, guest.page, invitation),
    );
    const [host] = agents;
    if (host)
      await effort.goal('command line on another host: the run by name', 'not possible by the given text', async () =>
        hosts.useCommandLine(effort, host, await pages.makeKey(effort, page)),
      );
    const all = [...faults, ...guest.faults];
    if (all.length > 0) throw new Error(all.join('\n'));
  } catch (error) {
    await effort.look(page, 'failed');
    throw error;
  }
}

/** In the office, where every name is known. It trusts the certificate, as one whose authority was imported. */
function startBrowser({ dir, office, server }: Place): Promise<Browser> {
  const program = path.join(dir, 'browser');
  const line = `exec nsenter --target ${office.pid} --net /usr/bin/chromium-headless-shell "$@"`;
  writeFileSync(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return startChromium([`--host-resolver-rules=MAP ${hosts.NAME} ${server}`, '--ignore-certificate-errors'], program);
}

/** The link in the message about an incident that opened. @throws WebhookVerificationError for a wrong signature */
function alarmIn(received: string, secret: string): string | undefined {
  for (const line of received.split('\n').filter((one) => one.startsWith('{'))) {
    const { headers, body } = JSON.parse(line) as { headers: Record<string, string>; body: string };
    const { type, data } = new Webhook(secret).verify(body, headers) as { type: string; data: { url: string } };
    if (type === 'incident.opened') return data.url;
  }
  return undefined;
}
